import Glibc
import TestSupport
import Testing

@testable import KeyValueStore

/// Who only reads: recovers the store if that is needed and allowed, and changes nothing otherwise.
@Suite("Opening for reading")
struct ReaderOpeningTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func makeStore(_ name: String, isClosed: Bool) throws -> String {
    let store = try OpenStore()
    for number in 0..<5 { try store.put(number) }
    if isClosed { store.environment.close() }
    try StoreSurgery.copy(store.path, to: folder[name])
    return folder[name]
  }

  private static func read(_ path: String) throws -> [Int] {
    let environment = try Environment(at: path, options: .init(access: .readOnly))
    defer { environment.close() }
    let table = try environment.table("t")
    return try environment.read { try $0.entries(table) }.map(\.key.asNumber)
  }

  @Test("a clean store is read without a write, again and again")
  func leavesCleanStore() throws {
    let path = try makeStore("clean", isClosed: true)
    let before = try folder.contents()
    for _ in 1...3 { #expect(try Self.read(path) == [0, 1, 2, 3, 4]) }
    let after = try folder.contents()
    for (file, bytes) in before where !file.hasSuffix("lock.mdb") { #expect(after[file] == bytes, "\(file)") }
    #expect(after.count == before.count)
  }

  @Test("a store that was not closed is recovered by its reader, and clean then")
  func recovers() throws {
    let path = try makeStore("unclean", isClosed: false)
    #expect(try !StoreSurgery.storeFiles(path).isClean())
    #expect(try Self.read(path) == [0, 1, 2, 3, 4])
    #expect(try StoreSurgery.storeFiles(path).isClean())
    let before = try folder.contents()
    #expect(try Self.read(path) == [0, 1, 2, 3, 4])
    let after = try folder.contents()
    for (file, bytes) in before where !file.hasSuffix("lock.mdb") { #expect(after[file] == bytes, "\(file)") }
  }

  @Test("without the right to write a clean store is read, and one that is not says that it needs recovery")
  func saysThatItNeedsRecovery() async throws {
    let clean = try makeStore("clean", isClosed: true)
    let unclean = try makeStore("unclean", isClosed: false)
    for path in [clean, unclean] {
      for name in try SystemFiles().names(in: path) { chmod(path + "/" + name, name == "lock.mdb" ? 0o666 : 0o444) }
      chmod(path, 0o555)
    }
    let before = try folder.contents()
    await #expect(processExitsWith: .success) { [clean = clean as String, unclean = unclean as String] in
      // An administrator may write everywhere, so become nobody.
      if geteuid() == 0 { setuid(65534) }
      let keys = try ReaderOpeningTests.read(clean)
      #expect(keys == [0, 1, 2, 3, 4])
      for _ in 1...2 {
        #expect(throws: StoreError.needsRecovery(path: unclean)) { try ReaderOpeningTests.read(unclean) }
      }
    }
    let after = try folder.contents()
    for (file, bytes) in before where !file.hasSuffix("lock.mdb") { #expect(after[file] == bytes, "\(file)") }
    for path in [clean, unclean] { chmod(path, 0o755) }
  }

  @Test("closing makes a store clean, however it was written to")
  func closesClean() throws {
    for durability in [Durability.full, .relaxed] {
      let store = try OpenStore(options: .init(durability: durability))
      let table = store.table
      for number in 0..<3 { try store.put(number) }
      try store.environment.write { try $0.put([UInt8](repeating: 1, count: 5 << 20), for: [9], in: table) }
      try store.put(4)
      store.environment.close()
      #expect(try StoreSurgery.storeFiles(store.path).isClean())
    }
  }
}
