import Dispatch
import Foundation
import Sync
import Synchronization

/// `swiftsync sync`: brings a store to what a payload says, by a Core Data model and without a program.
struct SyncCommand: Command {
  static let payload = Operand(
    placeholder: "PAYLOAD", help: "A file of JSON: an array of objects, or one. '-' stands for standard input.")
  static let model = Option<String>(
    name: "--model", placeholder: "M",
    help: "The model: an .xcdatamodeld, an .xcdatamodel, or the contents of one. Required.")
  static let entity = Option<String>(name: "--entity", placeholder: "E", help: "The entity of the objects. Required.")
  static let predicate = Option<String>(
    name: "--where", placeholder: "P", help: "Delete only rows that this predicate is true of, as \"age > 20\".")
  static let operations = Option<OperationList>(
    name: "--operations", placeholder: "O", help: "What may be done, as insert,update. Everything if it is not given.")

  static let dryRun = Flag(
    name: "--dry-run", help: "Change nothing, and say what would be changed, with the first rows of each kind.")

  static let syntax = CommandSyntax(
    name: "sync",
    summary: "Bring a store to what a payload says.",
    discussion: """
      Sync a payload into a store: what is new is inserted, what differs is updated, what is no longer there is deleted.

      The keys of the payload are matched with the model as docs/dynamic-sync.md says. The store is made if there is none. A
      store that an application has open is left alone. Everything is done, or nothing.
      """,
    operands: [payload, .store],
    options: [model, entity, predicate, operations, dryRun],
    examples: [
      Example(
        line: "swiftsync sync --model Shop.xcdatamodeld --entity User users.json shop.store",
        purpose: "fill a store with users"),
      Example(
        line: "curl -s https://example.org/users | swiftsync sync --model Shop.xcdatamodeld --entity User - shop.store",
        purpose: "from a server"),
    ])

  let payload: String
  let store: String
  let model: String
  let entity: String
  let predicate: String?
  let operations: Sync.OperationOptions
  let isDryRun: Bool

  init(_ arguments: Arguments) throws(UsageError) {
    payload = try arguments.operand(Self.payload)
    store = try arguments.operand(.store)
    model = try arguments.required(Self.model)
    entity = try arguments.required(Self.entity)
    predicate = try arguments.value(of: Self.predicate)
    operations = try arguments.value(of: Self.operations)?.options ?? .all
    isDryRun = arguments.contains(Self.dryRun)
  }

  var stores: [String] { [store] }

  func run(output: StandardOutput) throws {
    let predicate = try predicate.map { try ObjectPredicate(format: $0) }
    let json = try payload == "-" ? FileHandle.standardInput.readToEnd() ?? Data() : contents(of: payload)
    let model = try ManagedObjectModel(contentsOf: URL(fileURLWithPath: model))
    // A rehearsal must not make the store.
    let isNew = !FileManager.default.fileExists(atPath: store)
    let stack =
      isDryRun && isNew
      ? DataStack(model: model, storeType: .inMemory) : DataStack(model: model, storeURL: URL(fileURLWithPath: store))
    defer { stack.close() }
    let report = try waiting { [entity, operations, isDryRun] in
      try await stack.sync(
        json: json, inEntityNamed: entity, predicate: predicate, operations: operations, dryRun: isDryRun)
    }
    try output.writeLine("\(report)")
    if isDryRun { for line in report.rowLines { try output.writeLine(line) } }
  }

  private func contents(of path: String) throws -> Data {
    do {
      return try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
    } catch {
      throw UnreadablePayload(path: path, reason: (error as NSError).localizedDescription)
    }
  }
}

/// Waits for work that suspends. A command has its thread to itself.
private func waiting<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) throws -> Result {
  let result = Mutex<Swift.Result<Result, any Error>?>(nil)
  let done = DispatchSemaphore(value: 0)
  Task.detached {
    let outcome: Swift.Result<Result, any Error>
    do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
    result.withLock { $0 = outcome }
    done.signal()
  }
  done.wait()
  guard let outcome = result.withLock({ $0 }) else { throw CancellationError() }
  return try outcome.get()
}

extension SyncReport {
  /// A line for each kind of change and entity, with the rows that it names.
  fileprivate var rowLines: [String] {
    identities.keys.sorted().flatMap { name -> [String] in
      guard let rows = identities[name], let counts = entities[name] else { return [] }
      let kinds = [
        ("inserted", rows.inserted, counts.inserted), ("updated", rows.updated, counts.updated),
        ("deleted", rows.deleted, counts.deleted), ("linked", rows.linked, rows.linked.count),
        ("unlinked", rows.unlinked, rows.unlinked.count),
      ]
      return kinds.filter { !$0.1.isEmpty }.map { kind, identities, count in
        let rest = count - identities.count
        return "  \(name) \(kind): \(identities.joined(separator: ", "))" + (rest > 0 ? " and \(rest) more" : "")
      }
    }
  }
}

/// A payload that could not be read.
struct UnreadablePayload: Error, Equatable, CustomStringConvertible {
  let path: String
  let reason: String

  var description: String { "The payload '\(path)' can't be read: \(reason)" }
}

/// Names of operations, separated by commas.
struct OperationList: ArgumentValue {
  private static let names: [(String, Sync.OperationOptions)] = [
    ("insert", .insert), ("update", .update), ("delete", .delete), ("insertRelationships", .insertRelationships),
    ("updateRelationships", .updateRelationships), ("deleteRelationships", .deleteRelationships), ("all", .all),
  ]

  let options: Sync.OperationOptions

  init?(argument: String) {
    var options: Sync.OperationOptions = []
    for name in argument.split(separator: ",", omittingEmptySubsequences: false) {
      guard let known = Self.names.first(where: { $0.0 == name }) else { return nil }
      options.formUnion(known.1)
    }
    self.options = options
  }

  static var expectation: String { names.map(\.0).joined(separator: ", ") + ", or several with commas" }
}
