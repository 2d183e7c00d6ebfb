import FoundationEssentials
import TestSupport
import Testing

@testable import Records

/// A store of notes whose local changes are kept, and lists that are not, for the tests.
final class PushStore: Sendable {
  static let inbound = InboundAuthor.name

  static func schema(isOffline: Bool = true) -> StoreSchema {
    StoreSchema(entities: [
      EntityDescription(
        name: "Note",
        attributes: [
          AttributeDescription(
            name: "id", type: .string, options: isOffline ? [.unique, .preserveValueOnDeletion] : .unique),
          AttributeDescription(name: "text", type: .string, isOptional: true),
          AttributeDescription(name: "stars", type: .int64, isOptional: true),
        ],
        relationships: [
          RelationshipDescription(name: "list", destination: "List", isToMany: false, inverse: "notes"),
          RelationshipDescription(name: "related", destination: "Note", isToMany: true),
        ], identity: "id"),
      EntityDescription(
        name: "List", attributes: [AttributeDescription(name: "id", type: .string, options: .unique)],
        relationships: [
          RelationshipDescription(
            name: "notes", destination: "Note", isToMany: true, inverse: "list", deleteRule: .cascade)
        ], identity: "id"),
    ])
  }

  let store: RecordStore
  var note: Entity { get throws { try #require(store.catalog.entity(named: "Note")) } }

  init(
    in folder: TemporaryFolder? = nil, history: HistoryPolicy = .standard, isOffline: Bool = true,
    clock: @escaping @Sendable () -> Date = { Date() }
  ) throws {
    let schema = Self.schema(isOffline: isOffline)
    let options = HistoryOptions(history, clock: clock)
    store =
      if let folder {
        try RecordStore(at: folder["store"], schema: schema, history: options)
      } else {
        try RecordStore.temporary(schema: schema, history: options)
      }
  }

  deinit {
    store.close()
  }

  /// Runs one step in a transaction.
  func write(by author: String? = nil, _ body: @Sendable (RecordTransaction) throws -> Void) throws {
    try store.write(author: author) { transaction in
      try body(transaction)
      try #require(try transaction.checkInvariants().isEmpty)
    }
    try #require(try store.violations() == [])
  }

  func insert(_ ids: String..., by author: String? = nil) throws {
    try write(by: author) { for id in ids { _ = try $0.insertNote(id) } }
  }

  func setText(_ id: String, _ text: String, by author: String? = nil) throws {
    try write(by: author) { try $0.setText(of: id, to: text) }
  }

  func delete(_ id: String, by author: String? = nil) throws {
    try write(by: author) { _ = try $0.delete($0.note(id), of: $0.entity("Note")) }
  }

  var last: HistoryToken { get throws { try store.read { try $0.lastHistoryToken() } } }

  func entries() throws -> [PushEntry] { try store.read { try $0.pushEntries(of: note) } }

  /// Each dirty row as a text: what is true of it, its identity, its tokens and what was changed.
  func summary() throws -> [String] {
    try store.read { snapshot in
      let note = try note
      return try snapshot.pushEntries(of: note).map { entry in
        let flags =
          (entry.isInserted ? "new " : "") + (entry.isHandedOut ? "sent " : "") + (entry.isParked ? "parked " : "")
          + (entry.isDeleted ? "deleted " : "")
        let identity = try #require(note.identity?.field)
        let live = try snapshot.withRecord(entry.row, of: note) { $0.value(identity) }
        guard case .string(let id)? = live ?? entry.deletedIdentity else { return "row \(entry.row.rawValue)" }
        let names = note.names(of: entry.changed).sorted().joined(separator: ",")
        return "\(flags)\(id) \(entry.first.rawValue)-\(entry.last.rawValue) \(names)"
      }
    }
  }

  /// The base of a dirty row: its text and stars; nil if there is none.
  func base(of row: UInt64) throws -> [FieldValue?]? {
    try store.read { snapshot in
      let note = try note
      return try snapshot.pushBase(of: RowNumber(rawValue: row), note).map { base in
        try ["id", "text", "stars"].map { base.value(of: try #require(note.attribute(named: $0)).propertyIndex, note) }
      }
    }
  }

  /// Has rows taken by a server, or refused, as they are in the last transaction or were before.
  @discardableResult
  func settle(
    _ rows: [UInt64], _ verdict: PushAnswer.Verdict = .taken, through token: HistoryToken? = nil,
    sent: [UInt64: Record] = [:], at seconds: Double = 0
  ) throws -> [UInt64] {
    let token = try token ?? last
    let note = try note
    let edited = try store.write { transaction in
      let answers = try rows.map { number in
        let row = RowNumber(rawValue: number)
        return PushAnswer(row, verdict, sent: try sent[number] ?? transaction.record(row, of: note))
      }
      return try transaction.settlePush(
        answers, of: note, through: token, now: Date(timeIntervalSinceReferenceDate: seconds))
    }.result
    try #require(try store.violations() == [])
    return edited.map(\.rawValue)
  }
}

extension RecordSnapshot {
  func note(_ id: String) throws -> RowNumber {
    let index = try #require(entity("Note").identityIndex)
    return try #require(try firstRow(where: index, equals: [.string(id)]))
  }
}

extension RecordTransaction {
  func setText(of id: String, to text: String) throws {
    _ = try edit("Note", note(id)) { builder, note in
      builder.setString(try #require(note.attribute(named: "text")).field, text)
    }
  }
}
