import FoundationEssentials
import KeyValueStore
import Synchronization
import TestSupport
import Testing

@testable import Records

/// A store of notes with a history and a clock of its own, for the tests.
final class HistoryStore: Sendable {
  static let schema = StoreSchema(entities: [
    EntityDescription(
      name: "Note",
      attributes: [
        AttributeDescription(name: "id", type: .string, options: [.unique, .preserveValueOnDeletion]),
        AttributeDescription(name: "text", type: .string, isOptional: true),
      ],
      relationships: [RelationshipDescription(name: "related", destination: "Note", isToMany: true)], identity: "id")
  ])

  let store: RecordStore
  private let clock: SharedTime

  /// A store in memory, or in a folder.
  init(
    _ policy: HistoryPolicy = .standard, in folder: TemporaryFolder? = nil, schema: StoreSchema = HistoryStore.schema,
    time seconds: Double = 0
  ) throws {
    let time = SharedTime(seconds)
    let options = HistoryOptions(policy, writer: "test") { Date(timeIntervalSinceReferenceDate: time.seconds) }
    store =
      if let folder {
        try RecordStore(at: folder["store"], schema: schema, history: options)
      } else {
        try RecordStore.temporary(schema: schema, history: options)
      }
    clock = time
  }

  deinit {
    store.close()
  }

  func wait(_ duration: Duration) {
    clock.add(Double(duration.components.seconds))
  }

  /// Makes notes in one commit.
  @discardableResult
  func insert(_ ids: String..., author: String? = nil) throws -> ChangeSet {
    try store.write(author: author) { transaction in
      for id in ids { _ = try transaction.insertNote(id) }
    }.changes
  }

  /// Makes commits of one note each.
  func commit(_ count: Int, author: String? = nil) throws {
    for _ in 0..<count { try insert(UUID().uuidString, author: author) }
  }

  func transactions(after: UInt64? = nil, through: UInt64? = nil) throws -> [HistoryTransaction] {
    try store.read { try $0.transactions(after: after, through: through) }
  }

  func tokens(after: UInt64? = nil, through: UInt64? = nil) throws -> [UInt64] {
    try transactions(after: after, through: through).map(\.token.rawValue)
  }

  func last() throws -> UInt64 { try store.read { try $0.lastHistoryToken().rawValue } }

  func oldest() throws -> UInt64 { try store.read { try $0.oldestHistoryToken().rawValue } }

  func advance(_ name: String, to token: UInt64, ignoring author: String? = nil) throws {
    try store.write { transaction in
      try transaction.advanceHistoryConsumer(
        name, to: HistoryToken(rawValue: token), ignoring: author, now: Date(timeIntervalSinceReferenceDate: 7))
    }
  }

  @discardableResult
  func delete(
    after: UInt64? = nil, through: UInt64? = nil, expiring: Bool = true,
    where isUnwanted: @escaping @Sendable (HistoryTransaction) -> Bool = { _ in true }
  ) throws -> Int {
    try store.write { transaction in
      try transaction.deleteHistory(
        after: after.map(HistoryToken.init), through: through.map(HistoryToken.init), expiring: expiring,
        where: isUnwanted)
    }.result
  }

  func isSound() throws -> Bool { try store.read { try $0.checkInvariants().isEmpty } }
}

private final class SharedTime: Sendable {
  private let value: Mutex<Double>

  init(_ seconds: Double) {
    value = Mutex(seconds)
  }

  var seconds: Double { value.withLock { $0 } }

  func add(_ seconds: Double) {
    value.withLock { $0 += seconds }
  }
}

extension RecordSnapshot {
  func transactions(after: UInt64? = nil, through: UInt64? = nil) throws -> [HistoryTransaction] {
    var result: [HistoryTransaction] = []
    try forEachTransaction(after: after.map(HistoryToken.init), through: through.map(HistoryToken.init)) {
      result.append($0)
      return .continue
    }
    return result
  }
}

extension RecordTransaction {
  func insertNote(_ id: String, text: String? = nil) throws -> RowNumber {
    try insert("Note") { builder, note in
      builder.setString(try #require(note.attribute(named: "id")).field, id)
      if let text { builder.setString(try #require(note.attribute(named: "text")).field, text) }
    }
  }
}

/// The tokens that an observer was told.
final class Seen: Sendable {
  private let list = Mutex<[HistoryToken?]>([])

  var tokens: [HistoryToken?] { list.withLock { $0 } }

  func add(_ token: HistoryToken?) {
    list.withLock { $0.append(token) }
  }
}
