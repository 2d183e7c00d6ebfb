import TestSupport

@testable import KeyValueStore

/// A store with one table, whose values are numbers, open in a folder of its own. It makes no checkpoint because of its age,
/// which on a busy machine would come at any moment.
struct OpenStore {
  let folder: TemporaryFolder
  let environment: Environment
  let table: Table

  var path: String { folder["store"] }

  init(_ files: any FileSystem = SystemFiles(), options: Environment.Options = .init()) throws {
    folder = try TemporaryFolder()
    var options = options
    options.checkpoints.interval = .max / 4
    environment = try Environment(at: folder["store"], options: options, files: files)
    table = try environment.table("t")
  }

  /// Gives some keys the value of the last of them, in one transaction.
  func put(_ keys: Int..., durability: Durability? = nil) throws {
    let (table, keys) = (table, keys)
    try environment.write(durability: durability) { transaction in
      for key in keys { try transaction.put([UInt8](number: keys.last ?? 0), for: [UInt8](number: key), in: table) }
    }
  }

  /// The keys that there are.
  func keys() throws -> [Int] {
    try environment.read { try $0.entries(table) }.map(\.key.asNumber)
  }

  /// Runs `queue` while the writer thread is held up, so that what it starts waits together, and returns when that is done.
  func whileWriterWaits(_ queue: (_ isWaiting: (Int) async -> Void) async throws -> Void) async throws {
    let (environment, gate) = (environment, Gate())
    let first = Task.detached { try await environment.write(durability: .relaxed) { _ in gate.pass() } }
    await gate.someoneWaits()
    try await queue { count in await environment.someWritesWait(count) }
    gate.open()
    // It may share the fate of the others.
    _ = await first.result
  }

  /// What the keys are in a copy of the folder as it is now: what a process leaves that is killed.
  func keysAfterKill() throws -> [Int] {
    let copy = folder["copy \(UInt64.random(in: .min ... .max))"]
    try StoreSurgery.copy(path, to: copy)
    return try Self.keys(at: copy)
  }

  /// The keys of a store that is opened for it, and closed again.
  static func keys(at path: String) throws -> [Int] {
    let environment = try Environment(at: path)
    defer { environment.close() }
    let table = try environment.table("t")
    // It has to work again, too.
    try environment.write { try $0.put([1], for: [255], in: table) }
    try environment.write { _ = try $0.delete([255], in: table) }
    return try environment.read { try $0.entries(table) }.map(\.key.asNumber)
  }
}
