import Foundation
import Sync

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

  static let syntax = CommandSyntax(
    name: "sync",
    summary: "Bring a store to what a payload says.",
    discussion: """
      Sync a payload into a store: what is new is inserted, what differs is updated, what is no longer there is deleted.

      The keys of the payload are matched with the model as docs/dynamic-sync.md says. The store is made if there is none. A
      store that an application has open is left alone. Everything is done, or nothing.
      """,
    operands: [payload, .store],
    options: [model, entity, predicate, operations],
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

  init(_ arguments: Arguments) throws(UsageError) {
    payload = try arguments.operand(Self.payload)
    store = try arguments.operand(.store)
    model = try arguments.required(Self.model)
    entity = try arguments.required(Self.entity)
    predicate = try arguments.value(of: Self.predicate)
    operations = try arguments.value(of: Self.operations)?.options ?? .all
  }

  var stores: [String] { [store] }

  func run(output: StandardOutput) throws {
    let predicate = try predicate.map { try ObjectPredicate(format: $0) }
    let json = try payload == "-" ? FileHandle.standardInput.readToEnd() ?? Data() : contents(of: payload)
    let stack = DataStack(
      model: try ManagedObjectModel(contentsOf: URL(fileURLWithPath: model)), storeURL: URL(fileURLWithPath: store))
    defer { stack.close() }
    let report = try stack.newBackgroundContext().sync(
      json: json, inEntityNamed: entity, predicate: predicate, operations: operations)
    try output.write("\(report)\n")
  }

  private func contents(of path: String) throws -> Data {
    do {
      return try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
    } catch {
      throw UnreadablePayload(path: path, reason: (error as NSError).localizedDescription)
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
