import KeyValueStore
import Records

/// Reads everything in a store that may be damaged, and compares it with what should be there. A process of its own, because
/// LMDB may end the process that reads a damaged page.
struct DamageReader {
  /// What came of it.
  struct Outcome: Equatable {
    /// Values that are exactly what they should be.
    var right = 0
    /// Reads that ended with an error of the store's.
    var refused = 0
    /// Rows and links that are not found, though nothing says that something is wrong.
    var missing = 0
    /// What must not be.
    var wrong: String?

    var line: String { "outcome\t\(right)\t\(refused)\t\(missing)\t\(wrong ?? "")" }

    init() {}

    init?(_ line: Substring) {
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard parts.count == 5, parts[0] == "outcome", let right = Int(parts[1]), let refused = Int(parts[2]),
        let missing = Int(parts[3])
      else { return nil }
      (self.right, self.refused, self.missing) = (right, refused, missing)
      wrong = parts[4].isEmpty ? nil : String(parts[4])
    }
  }

  let path: String
  let truth: BoardTruth
  let isWriting: Bool
  private(set) var outcome = Outcome()

  init(path: String, truth: BoardTruth, isWriting: Bool) {
    self.path = path
    self.truth = truth
    self.isWriting = isWriting
  }

  mutating func run() {
    var store: RecordStore?
    attempt { [path, isWriting] outcome in
      store = try isWriting ? RecordStore(at: path, schema: .board) : RecordStore(readingAt: path)
    }
    guard let store else { return }
    defer { store.close() }
    let truth = truth
    attempt { outcome in
      try store.read { snapshot in
        for entity in snapshot.catalog.entities {
          Self.attempt(&outcome) { try Self.lookUp(entity, snapshot, truth, &$0) }
          for index in entity.indexes { Self.look(through: index, entity, snapshot, truth, &outcome) }
          Self.attempt(&outcome) { try Self.scan(entity, snapshot, truth, &$0) }
        }
      }
    }
  }

  /// Looks up each row and each identity that should be there.
  private static func lookUp(
    _ entity: Entity, _ snapshot: RecordSnapshot, _ truth: BoardTruth, _ outcome: inout Outcome
  ) throws {
    for (name, expected) in truth.rows where name.hasPrefix("\(entity.name) ") {
      guard let number = name.split(separator: " ").last.flatMap({ UInt64($0) }) else { continue }
      attempt(&outcome) { outcome in
        let row = RowNumber(rawValue: number)
        let text = try snapshot.withRecord(row, of: entity) {
          try BoardTruth.text(of: $0, row, entity, snapshot)
        }
        outcome.note(text, expected, name)
      }
    }
    guard let index = entity.identityIndex else { return }
    for (name, expected) in truth.identities where name.hasPrefix("\(entity.name) ") {
      guard let id = name.split(separator: " ").last.flatMap({ Int64($0) }) else { continue }
      attempt(&outcome) { outcome in
        let row = try snapshot.firstRow(where: index, equals: [.int(id)])
        outcome.note(row.map { "\($0.rawValue)" }, expected, "the row of \(name)")
      }
    }
  }

  /// Looks up each value that should be in an index, and goes through all rows in its order.
  private static func look(
    through index: Index, _ entity: Entity, _ snapshot: RecordSnapshot, _ truth: BoardTruth, _ outcome: inout Outcome
  ) {
    let attribute = index.attributes[0].name
    for (name, expected) in truth.lists where name.hasPrefix("\(entity.name) \(attribute) ") {
      let value = name.split(separator: " ").last.flatMap { Int64($0) }.map(FieldValue.int) ?? .null
      attempt(&outcome) { outcome in
        let rows = try snapshot.rows(where: index, equals: [value])
        outcome.note(BoardTruth.text(of: rows), expected, "the rows of \(name)")
      }
    }
    let name = "\(entity.name) by \(attribute)"
    guard let expected = truth.lists[name] else { return }
    attempt(&outcome) { outcome in
      var rows: [RowNumber] = []
      try snapshot.forEachRecord(of: entity, inOrderOf: index) { row, _ in
        rows.append(row)
        return .continue
      }
      outcome.note(BoardTruth.text(of: rows), expected, name)
    }
  }

  /// Goes through all rows; none must be another than should be there.
  private static func scan(
    _ entity: Entity, _ snapshot: RecordSnapshot, _ truth: BoardTruth, _ outcome: inout Outcome
  ) throws {
    try snapshot.forEachRecord(of: entity) { row, record in
      let name = BoardTruth.name(entity, row)
      let text = try BoardTruth.text(of: record, row, entity, snapshot)
      guard let expected = truth.rows[name] else {
        outcome.wrong = "\(name) exists, and is \(text)"
        return .stop
      }
      outcome.note(text, expected, name)
      return .continue
    }
  }

  private mutating func attempt(_ body: (inout Outcome) throws -> Void) {
    Self.attempt(&outcome, body)
  }

  /// Runs a step, which may end with an error of the store's.
  private static func attempt(_ outcome: inout Outcome, _ body: (inout Outcome) throws -> Void) {
    do { try body(&outcome) } catch is StoreError { outcome.refused += 1 } catch is RecordError {
      outcome.refused += 1
    } catch {
      outcome.wrong = "an error came out that is not the store's: \(error)"
    }
  }
}

extension DamageReader.Outcome {
  fileprivate mutating func note(_ found: String?, _ expected: String, _ name: String) {
    if found == expected {
      right += 1
    } else if let found, !BoardTruth.lacksLinks(found, expected) {
      wrong = "\(name) is \(found), and should be \(expected)"
    } else {
      missing += 1
    }
  }
}
