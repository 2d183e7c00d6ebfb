/// What goes wrong with rows, constraints and the stored schema. Each case names the entity and the row or value.
///
/// Errors of the files underneath are `StoreError`s of `KeyValueStore` and pass through unchanged.
public enum RecordError: Error, Sendable, Equatable {
  /// A record's bytes are not what was written for this row.
  case damagedRecord(entity: String, row: RowNumber)
  /// The content of an attribute in external storage is missing or not what was written for this row.
  case damagedContent(entity: String, row: RowNumber, attribute: String)
  /// An entry of a table other than an index is not what was written.
  case damagedEntry(table: String)
  /// An entry of an index is not what was written, or contradicts the record that it leads to.
  case damagedIndexEntry(entity: String, attributes: [String])
  /// The stored catalog cannot be understood.
  case damagedCatalog(reason: String)
  /// The folder is a store of keys and values, but holds no records.
  case notARecordStore(path: String)
  /// The store has no schema yet: its creation goes on, or was interrupted. Opening it for writing completes it.
  case unfinishedStore(path: String)
  /// The store was written by a later version of this library.
  case newerFormat(path: String, found: UInt32, supported: UInt32)
  /// The schema cannot take over what the store holds.
  case schemaMismatch([SchemaDifference])
  /// The store is to be read only, and lacks what the schema has.
  case schemaNotStored(path: String, [SchemaDifference])
  /// The store was opened with another schema meanwhile, by this process or another one, and has to be opened again.
  case schemaChanged(path: String)
  /// The store has a later version of the schema than the program knows.
  case newerSchema(stored: SchemaVersion, known: [SchemaVersion])
  /// The store's schema is none of the plan's versions: by its number, or, if it has none, by its structure.
  case unknownSchema(stored: SchemaVersion?, known: [SchemaVersion])
  /// No stage of the plan leads from a version towards the target.
  case noMigrationStage(from: SchemaVersion, to: SchemaVersion)
  /// A context or store of a migration was used outside of it.
  case migrationOver
  /// Two rows have the same values under a unique constraint.
  case uniqueConflict(entity: String, attributes: [String], value: String, row: RowNumber, otherRow: RowNumber)
  /// A row cannot be deleted because rows that stay are linked to it: by a relationship of its own whose rule denies the
  /// deletion, or by a relationship of theirs that is not optional.
  case deleteDenied(entity: String, row: RowNumber, relationship: String, blockers: [RowNumber])
  /// A row that was to be changed, or that a link was to lead to, does not exist.
  case noSuchRow(entity: String, row: RowNumber)
  /// An attribute that is not optional has no value.
  case missingRequiredValue(entity: String, attribute: String)
  /// A to-one relationship that is not optional leads nowhere: the row was made without a destination, or was unlinked.
  case missingDestination(entity: String, row: RowNumber, relationship: String)
  /// A row's values together, or a single one in external storage, are larger than a record can be.
  case recordTooLarge(entity: String, byteCount: Int, byteCountMax: Int)
  /// A to-many operation on a to-one relationship, or the reverse.
  case wrongCardinality(relationship: String)
  /// What happened after a token is not known any more, or not all of it.
  case historyExpired(token: UInt64, oldest: UInt64)
  /// The store has not come to a token: it was put back to an earlier state, or the token is another store's.
  case unknownHistoryToken(token: UInt64, last: UInt64)
  /// The store keeps no history.
  case historyNotKept
  /// The store is to be opened without a history, and has local changes that no server has answered for, which would be forgotten.
  case unsentChanges(entities: [String])
  /// A transaction of the history is not what was written.
  case damagedTransaction(token: UInt64)
}

extension RecordError: CustomStringConvertible {
  /// The error as a sentence.
  public var description: String {
    switch self {
    case .damagedRecord(let entity, let row):
      "The record of \(entity) row \(row.rawValue) is damaged."
    case .damagedContent(let entity, let row, let attribute):
      "The content of \(attribute) of \(entity) row \(row.rawValue) is damaged."
    case .damagedEntry(let table):
      "An entry of the table \(table) is damaged."
    case .damagedIndexEntry(let entity, let attributes):
      "An entry of the index on \(entity) \(attributes.joined(separator: ", ")) is damaged."
    case .damagedCatalog(let reason):
      "The stored schema is damaged: \(reason)"
    case .notARecordStore(let path):
      "The store at \(path) holds no records: another program made it."
    case .unfinishedStore(let path):
      "The store at \(path) has no schema yet: its creation goes on, or was interrupted."
    case .newerFormat(let path, let found, let supported):
      "The store at \(path) has record format \(found); this version reads up to format \(supported)."
    case .schemaMismatch(let differences):
      "The schema does not match the store: " + differences.map(\.description).joined(separator: " ")
        + " A default value or a SchemaMigrationPlan can lead there; docs/migrations.md says how."
    case .schemaNotStored(let path, let differences):
      "The store at \(path) cannot be read with this schema: " + differences.map(\.description).joined(separator: " ")
        + " A container that saves takes the schema over when it opens the store."
    case .schemaChanged(let path):
      "The schema of the store at \(path) has changed since it was opened; it has to be opened again."
    case .newerSchema(let stored, let known):
      "The store has version \(stored) of its schema, and the latest known one is "
        + "\(known.max().map(\.description) ?? "none")."
    case .unknownSchema(let stored, let known):
      (stored.map { "The store has version \($0) of its schema, which is not among " }
        ?? "The schema of the store is not that of any version among ")
        + known.map(\.description).joined(separator: ", ") + "."
    case .noMigrationStage(let from, let to):
      "No stage of the migration plan leads from version \(from) to \(to)."
    case .migrationOver:
      "What was made for a migration can be used only inside of it, on its thread."
    case .uniqueConflict(let entity, let attributes, let value, let row, let otherRow):
      "\(entity) rows \(row.rawValue) and \(otherRow.rawValue) have the same \(attributes.joined(separator: ", ")): "
        + "\(value)."
    case .deleteDenied(let entity, let row, let relationship, let blockers):
      "\(entity) row \(row.rawValue) cannot be deleted while \(relationship) links it to "
        + "\(RecordError.list(blockers))."
    case .noSuchRow(let entity, let row):
      "\(entity) has no row \(row.rawValue)."
    case .missingRequiredValue(let entity, let attribute):
      "\(entity).\(attribute) is required and has no value."
    case .missingDestination(let entity, let row, let relationship):
      "\(entity) row \(row.rawValue) has no destination for \(relationship), which is required."
    case .recordTooLarge(let entity, let byteCount, let byteCountMax):
      "A row of \(entity), or a value of it, would take \(byteCount) bytes; it can have at most \(byteCountMax)."
    case .wrongCardinality(let relationship):
      "\(relationship) does not have the cardinality that the operation needs."
    case .historyExpired(let token, let oldest):
      "What happened after token \(token) is not kept any more; the oldest token that the history goes back to is \(oldest)."
    case .unknownHistoryToken(let token, let last):
      "The store has not come to token \(token); its last one is \(last)."
    case .historyNotKept:
      "The store keeps no history."
    case .unsentChanges(let entities):
      "The store can't be opened without a history: it has local changes of \(entities.joined(separator: ", ")) that no server has "
        + "answered for, and they would be forgotten. Push them first, or give them up."
    case .damagedTransaction(let token):
      "Transaction \(token) of the history is damaged."
    }
  }

  /// The first rows by number and how many more there are, so that a message stays one line.
  private static func list(_ rows: [RowNumber]) -> String {
    let shown = rows.prefix(10).map { "\($0.rawValue)" }.joined(separator: ", ")
    let rest = rows.count - 10
    return (rows.count == 1 ? "row " : "rows ") + shown + (rest > 0 ? " and \(rest) more" : "")
  }
}
