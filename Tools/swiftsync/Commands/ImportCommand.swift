import Foundation
import KeyValueStore
import Records
import SyncEngine

/// `swiftsync import`: makes a store of a snapshot.
struct ImportCommand: Command {
  static let snapshot = Operand(placeholder: "SNAPSHOT", help: "A file that 'swiftsync export' has written.")

  static let syntax = CommandSyntax(
    name: "import",
    summary: "Make a store of a snapshot.",
    discussion: """
      Make a new store that has the schema and the rows of a snapshot. An export of it gives the same snapshot again, but
      for the numbers of rows that have no identity of their own, where rows were deleted before them.

      The store must not exist. It has all rows, or, when the exit code is not 0, there is none.
      """,
    operands: [snapshot, .store],
    options: [],
    examples: [
      Example(line: "swiftsync import app.json copy.store", purpose: "make a store of a snapshot in a file")
    ])

  let snapshot: String
  let store: String

  init(_ arguments: Arguments) throws(UsageError) {
    snapshot = try arguments.operand(Self.snapshot)
    store = try arguments.operand(.store)
  }

  var stores: [String] { [store] }

  func run(output: StandardOutput) throws {
    let document = try PayloadDocument(snapshotAt: snapshot)
    guard try Environment.isFree(store) else { throw UnmovableStore(path: store, errno: ENOTEMPTY) }
    // What was begun has no rows, and must not be taken for a store without any, however it ends. So it gets its name last.
    let unfinished = "\(URL(fileURLWithPath: store).path).importing-\(getpid())"
    do {
      let count = try fill(document, at: unfinished)
      guard rename(unfinished, store) == 0 else { throw UnmovableStore(path: store, errno: errno) }
      try output.writeLine("\(store): \(count) row\(count == 1 ? "" : "s").")
    } catch {
      try? FileManager.default.removeItem(atPath: unfinished)
      throw error
    }
  }

  private func fill(_ document: PayloadDocument, at path: String) throws -> Int {
    let schema = try document.read { try SnapshotImport($0).schema }
    let store = try RecordStore(at: path, schema: schema)
    defer { store.close() }
    return try store.write(author: "import") { transaction in
      try document.read { try SnapshotImport($0).run(in: transaction) }
    }.result
  }
}

/// A store that can't be given its name.
struct UnmovableStore: Error, Equatable, CustomStringConvertible {
  let path: String
  let errno: Int32

  var description: String { "The store '\(path)' can't be put there: \(String(cString: strerror(errno)))." }
}
