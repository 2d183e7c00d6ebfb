import Glibc
import TestSupport
import Testing

@testable import KeyValueStore

/// Whatever a path leads to that is no sound store: the error says what it is, and nothing is changed or created.
@Suite("Opening what is no store")
struct OpeningTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// What may be found, how it comes to be there, and what opening it says.
  struct Finding: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// Makes it at a path.
    var make: @Sendable (String) throws -> Void
    var error: @Sendable (String) -> StoreError

    static func notAStore(_ description: String, _ reason: String, _ make: @escaping @Sendable (String) throws -> Void)
      -> Finding
    {
      Finding(testDescription: description, make: make) { .notAStore(path: $0, reason: reason) }
    }

    static func damaged(_ description: String, _ reason: String, _ make: @escaping @Sendable (String) throws -> Void)
      -> Finding
    {
      Finding(testDescription: description, make: make) { .damaged(path: $0, reason: reason) }
    }
  }

  static let sqlite = Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 4080)

  static let findings: [Finding] = [
    Finding(testDescription: "a file", make: { try TemporaryFolder.write([1, 2, 3], to: $0) }) {
      .notADirectory(path: $0)
    },
    .notAStore("a SQLite file", "it is a SQLite database") { try TemporaryFolder.write(sqlite, to: $0) },
    .notAStore("somebody's folder", "it has 'a.txt' in it, and no checkpoint") { path in
      try makeFolder(path, ["b.txt": [1], "a.txt": [1]])
    },
    .notAStore("a folder with a SQLite file", "it has 'app.sqlite' in it, and no checkpoint") { path in
      try makeFolder(path, ["app.sqlite": sqlite])
    },
    .notAStore("another program's LMDB file", "its data.mdb has no checkpoint beside it") { path in
      try makeFolder(path, ["data.mdb": [UInt8](repeating: 0x5A, count: 9000), "lock.mdb": []])
    },
    .notAStore("a checkpoint of something else", "it has 'checkpoint.pt' in it, and no checkpoint") { path in
      try makeFolder(path, ["checkpoint.pt": [1]])
    },
    .damaged("a store without its data", "its data.mdb is missing") { path in
      try makeStore(path)
      try SystemFiles().remove(path + "/data.mdb")
    },
    .damaged("a store without a segment of its log", "its wal.1 is missing") { path in
      try makeStore(path)
      try SystemFiles().remove(path + "/wal.1")
    },
    .damaged("a store without its checkpoint", "its checkpoint is missing") { path in
      try makeStore(path)
      try SystemFiles().remove(path + "/checkpoint")
    },
    .damaged("an empty checkpoint", "its checkpoint has no valid record") { path in
      try makeStore(path)
      try TemporaryFolder.write([], to: path + "/checkpoint")
    },
    .damaged("an empty file as the data", "its data.mdb has been cut off") { path in
      try makeStore(path)
      try TemporaryFolder.write([], to: path + "/data.mdb")
    },
    .damaged("a SQLite file as the data", "its data.mdb has been cut off") { path in
      try makeStore(path)
      try TemporaryFolder.write(sqlite, to: path + "/data.mdb")
    },
    .notAStore("data that something else has written", "its data.mdb was written by something else") { path in
      try makeStore(path)
      try StoreSurgery.edit(path) { try $0.dropTable("#store") }
    },
    .damaged("a store that does not say what it is", "it does not say what it is") { path in
      try makeStore(path)
      try editRecord(path, nil)
    },
    .damaged("a record of another kind", "what it says about itself is not readable") { path in
      try makeStore(path)
      try editRecord(path, [UInt8](repeating: 1, count: 36))
    },
    .damaged("a record that is too short", "what it says about itself has a wrong length") { path in
      try makeStore(path)
      try editRecord(path, Array("SwKVStor".utf8) + [1, 0, 0, 0, 5])
    },
    Finding(
      testDescription: "a newer format",
      make: { path in
        try makeStore(path)
        try editRecord(path, Array("SwKVStor".utf8) + [2, 1, 0, 0] + [UInt8](repeating: 9, count: 40))
      }, error: { .newerFormat(path: $0, found: 258, supported: 1) }),
  ]

  @Test("says what it is and leaves it as it was", arguments: findings, [Environment.Access.readWrite, .readOnly])
  func refuses(finding: Finding, access: Environment.Access) throws {
    let path = folder["it"]
    try finding.make(path)
    let before = try Self.substance(of: folder)
    for _ in 1...2 {
      #expect(throws: finding.error(path)) { try Environment(at: path, options: .init(access: access)) }
    }
    let after = try Self.substance(of: folder)
    #expect(after.keys.sorted() == before.keys.sorted())
    for (file, bytes) in before { #expect(after[file] == bytes, "\(file)") }
  }

  /// What is in the files, less what an opening writes before it can know that it has to refuse: the repetition of the
  /// newest record, and its meta page on the first two pages of the data.
  private static func substance(of folder: TemporaryFolder) throws -> [String: [UInt8]] {
    var contents = try folder.contents()
    for (file, bytes) in contents {
      if file.hasSuffix("lock.mdb") { contents[file] = [] }
      if file.hasSuffix("data.mdb") { contents[file] = Array(bytes.dropFirst(8192)) }
      if file.hasSuffix("checkpoint") {
        let files = SystemFiles()
        let record = try CheckpointRing(try files.open(file, for: .reading), files).newest()
        contents[file] = record.map { Array($0.bytes.dropFirst(24).prefix(1000)) } ?? bytes
      }
    }
    return contents
  }

  @Test(
    "meta pages that make no sense are healed by the newest checkpoint",
    arguments: [20, 40, 4096 + 16, 4096 + 128, 144, 512], [Environment.Access.readWrite, .readOnly])
  func healsMetaPages(offset: Int, access: Environment.Access) throws {
    let path = folder["store"]
    try Self.makeStore(path)
    let sound = try TemporaryFolder.read(path + "/data.mdb")
    for number in 0..<2 {
      try StoreSurgery.change(path + "/data.mdb", at: (offset + number * 4096) % 8192) { bytes in
        for index in bytes.indices { bytes[index] ^= 0x55 }
      }
    }
    let environment = try Environment(at: path, options: .init(access: access))
    let table = try environment.table("t")
    #expect(try environment.read { try $0.count(in: table) } == 100)
    environment.close()
    let healed = try TemporaryFolder.read(path + "/data.mdb")
    #expect(healed.dropFirst(8192) == sound.dropFirst(8192))
    #expect(try StoreSurgery.storeFiles(path).isClean())
  }

  @Test("a path through a file, and paths that are none", arguments: [Environment.Access.readWrite, .readOnly])
  func refusesPaths(access: Environment.Access) throws {
    try TemporaryFolder.write([1], to: folder["file"])
    let options = Environment.Options(access: access)
    for path in ["", "\0", folder["file"] + "/store", folder["a\0b"]] {
      #expect {
        try Environment(at: path, options: options)
      } throws: { error in
        if case StoreError.notADirectory = error { true } else { false }
      }
    }
    #expect(try SystemFiles().names(in: folder.path) == ["file"])
  }

  @Test("a network file system is refused")
  func refusesNetworks() throws {
    try Self.makeStore(folder["store"])
    for name in ["store", "new"] {
      #expect(throws: StoreError.onNetwork(path: folder[name])) {
        try Environment(at: folder[name], files: FaultyFiles.remote())
      }
    }
    #expect(try SystemFiles().names(in: folder["new"]).isEmpty)
  }

  @Test("nothing is created for somebody who only reads")
  func createsNothingForReaders() throws {
    let options = Environment.Options(access: .readOnly)
    #expect(throws: StoreError.noSuchStore(path: folder["a/b"])) {
      try Environment(at: folder["a/b"], options: options)
    }
    #expect(throws: StoreError.noSuchStore(path: folder.path)) { try Environment(at: folder.path, options: options) }
    #expect(try folder.contents().isEmpty)
  }

  @Test("folders that are missing are created, and an empty one is used")
  func createsFolders() throws {
    for path in [folder["a/b/c/d"], folder["empty"]] {
      if path.hasSuffix("empty") { try SystemFiles().makeFolder(path) }
      let environment = try Environment(at: path)
      environment.close()
      #expect(try Set(SystemFiles().names(in: path)) == Self.names)
    }
  }

  @Test("a store copied or restored without its lock files opens, for writing and for reading")
  func opensCopies() throws {
    try Self.makeStore(folder["store"])
    for access in [Environment.Access.readOnly, .readWrite] {
      let path = folder["copy \(access)"]
      try StoreSurgery.copy(folder["store"], to: path, without: ["lock.mdb", "store.lock"])
      try TemporaryFolder.write([1], to: path + "/notes.txt")
      let environment = try Environment(at: path, options: .init(access: access))
      let table = try environment.table("t")
      #expect(try environment.read { try $0.count(in: table) } == 100)
      environment.close()
    }
  }

  private static let names: Set = ["checkpoint", "data.mdb", "lock.mdb", "store.lock", "wal.0", "wal.1"]

  // MARK: - Making things

  private static func makeFolder(_ path: String, _ contents: [String: [UInt8]]) throws {
    try SystemFiles().makeFolder(path)
    for (name, bytes) in contents { try TemporaryFolder.write(bytes, to: path + "/" + name) }
  }

  private static func makeStore(_ path: String) throws {
    let environment = try Environment(at: path)
    defer { environment.close() }
    let table = try environment.table("t")
    try environment.write { transaction in
      for number in 0..<100 { try transaction.put([1], for: [UInt8](number: number), in: table) }
    }
  }

  private static func editRecord(_ path: String, _ bytes: [UInt8]?) throws {
    try StoreSurgery.edit(path) { try $0.set(bytes, for: StoreRecord.key, in: "#store") }
  }
}
