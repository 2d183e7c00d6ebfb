import Glibc
import Synchronization
import TestSupport
import Testing

@testable import KeyValueStore

@Suite("Backups")
struct BackupTests {
  private let folder: TemporaryFolder
  private let environment: Environment
  private let table: Table

  init() throws {
    folder = try TemporaryFolder()
    environment = try Environment(at: folder["store"])
    table = try environment.table("numbers")
  }

  @Test("a backup is a store of its own with the same content and identity", arguments: [false, true])
  func isTheSameStore(compact: Bool) throws {
    for number in 1...5 { try NumberedStore.write(number, to: environment, table) }
    try environment.backup(to: folder["new/folder/copy"], compact: compact)
    try NumberedStore.write(6, to: environment, table)

    let report = try Environment.verify(at: folder["new/folder/copy"])
    #expect(report.problems == [] && report.notes == [])
    let copy = try Environment(at: folder["new/folder/copy"])
    #expect(copy.identifier == environment.identifier)
    #expect(try NumberedStore.number(in: copy) == 5)
    // From here on they go their own ways.
    try NumberedStore.write(50, to: copy, try copy.table("numbers"))
    #expect(try NumberedStore.number(in: copy) == 50)
    #expect(try NumberedStore.number(in: environment) == 6)
    copy.close()
    let again = try Environment(at: folder["new/folder/copy"])
    #expect(try NumberedStore.number(in: again) == 50)
  }

  @Test("its log is one that no part of the original's can be taken for")
  func hasItsOwnTimeline() throws {
    try NumberedStore.write(1, to: environment, table)
    try environment.backup(to: folder["copy"])
    let records = try ["store", "copy"].map {
      try CheckpointRing(StorePaths(directory: folder[$0]), SystemFiles(), for: .reading).newest()
    }
    let (own, copied) = (try #require(records[0]), try #require(records[1]))
    #expect(own.store == copied.store)
    #expect(own.log.timeline != copied.log.timeline && copied.generation == 1)
    // The number of the last commit goes on.
    #expect(copied.log.lsn >= 2)
  }

  @Test("a backup beside a writer is one moment", arguments: [false, true])
  func isOneMoment(compact: Bool) async throws {
    let (environment, table, folder) = (environment, table, folder)
    try NumberedStore.write(0, to: environment, table)
    let isDone = Atomic(false)
    let written = Atomic(0)
    async let writing: Void = OtherThread.run {
      while !isDone.load(ordering: .relaxed) {
        try NumberedStore.write(written.load(ordering: .relaxed) + 1, to: environment, table)
        written.add(1, ordering: .relaxed)
      }
    }
    for turn in 0..<8 {
      let before = written.load(ordering: .relaxed)
      try await OtherThread.run { try environment.backup(to: folder["copy\(turn)"], compact: compact) }
      let after = written.load(ordering: .relaxed)
      let copy = try Environment(at: folder["copy\(turn)"], options: .init(access: .readOnly))
      defer { copy.close() }
      let number = try #require(try NumberedStore.number(in: copy))
      #expect((before...(after + 1)).contains(number))
    }
    isDone.store(true, ordering: .relaxed)
    try await writing
    #expect(written.load(ordering: .relaxed) > 0)
  }

  @Test("a store in memory, and one that is open for reading, can be backed up")
  func otherSources() throws {
    let temporary = try Environment.temporary()
    try NumberedStore.write(3, to: temporary, try temporary.table("numbers"))
    try temporary.backup(to: folder["kept"])
    #expect(try Environment.verify(at: folder["kept"]).problems == [])
    #expect(try NumberedStore.number(in: Environment(at: folder["kept"])) == 3)

    try NumberedStore.write(4, to: environment, table)
    environment.close()
    let reader = try Environment(at: folder["store"], options: .init(access: .readOnly))
    try reader.backup(to: folder["copy"])
    #expect(try NumberedStore.number(in: Environment(at: folder["copy"])) == 4)
  }

  @Test("a folder with something in it is refused, and left as it is")
  func refusesFolders() throws {
    try SystemFiles().makeFolder(folder["full"])
    try TemporaryFolder.write([1], to: folder["full/notes.txt"])
    try TemporaryFolder.write([1], to: folder["file"])
    try Environment(at: folder["other"]).close()
    let before = try folder.contents().filter { !$0.key.hasPrefix(folder["store"]) }
    for name in ["full", "other"] {
      #expect(throws: StoreError.folderNotEmpty(path: folder[name])) { try environment.backup(to: folder[name]) }
    }
    #expect(throws: StoreError.notADirectory(path: folder["file"])) { try environment.backup(to: folder["file"]) }
    #expect(try folder.contents().filter { !$0.key.hasPrefix(folder["store"]) } == before)
  }

  @Test(
    "the store's own folder is refused, by whatever name", arguments: ["store", "store/sub/deep", "link", "link/sub"])
  func refusesItself(name: String) throws {
    #expect(symlink(folder["store"], folder["link"]) == 0)
    #expect(throws: StoreError.insideOfStore(path: folder[name])) { try environment.backup(to: folder[name]) }
    #expect(try SystemFiles().status(of: folder["store/sub"]) == nil)
  }

  @Test("a damaged page is not copied", arguments: [false, true])
  func refusesDamage(compact: Bool) throws {
    try NumberedStore.write(1, to: environment, table)
    // Published and known to be in the file.
    _ = try NumberedStore.number(in: environment)
    let file = try SystemFiles().open(folder["store/data.mdb"], for: .writing)
    let roles = ByteRoles(of: try TemporaryFolder.read(folder["store/data.mdb"]))
    let page = try #require(roles.structuredPages.last)
    let number = try SystemFiles().bytes(of: file, at: page * 4096, 8)
    try SystemFiles().write([0x77], to: file, at: page * 4096)
    defer { try? SystemFiles().write(number, to: file, at: page * 4096) }
    let error = #expect(throws: StoreError.self) { try environment.backup(to: folder["copy"], compact: compact) }
    if case .damaged = error {} else { Issue.record("\(String(describing: error))") }
    #expect(throws: StoreError.noSuchStore(path: folder["copy"])) {
      try Environment(at: folder["copy"], options: .init(access: .readOnly))
    }
  }

  @Test("the example of the page is the one that is compiled here, and works")
  func keepsExample() throws {
    try NumberedStore.write(1, to: environment, table)
    #expect(try backUp(environment, to: folder["copy"]) == [])
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/")
    let page = String(decoding: try TemporaryFolder.read(root + "/docs/verification.md"), as: UTF8.self)
    let code = String(
      decoding: try TemporaryFolder.read(#filePath.replacing("BackupTests", with: "BackupExample")), as: UTF8.self)
    #expect(page.contains("```swift\n" + code + "```\n"))
  }
}
