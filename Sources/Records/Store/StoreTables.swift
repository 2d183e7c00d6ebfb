import KeyValueStore

/// The tables of a store, by the places of entities, indexes and directions in the catalog.
final class StoreTables: Sendable {
  /// The format version, the catalog and the counters.
  let meta: Table
  let records: [Table]
  let indexes: [Table]
  /// The tables of the to-many directions; nil for to-one directions, which live in records.
  let links: [Table?]
  /// The contents that lie outside of an entity's records; nil for an entity that has no such attributes.
  let contents: [Table?]
  /// The digests of rows. Nil in a store that is open for reading and was last written by a version that knew none.
  let digests: [Table?]
  /// What local edits have done to rows. Nil as `digests`.
  let push: Table?
  /// The transactions of the history.
  let history: Table
  /// How many entries parts of the indexes have.
  let estimates = KnownEstimates()

  /// Opens every table of a catalog, and makes the missing ones if the environment is writable.
  init(_ catalog: Catalog, in environment: Environment) throws {
    let laterNames = StoreTables.laterNames(for: catalog)
    var laterTables = try laterNames.map { try environment.tableIfPresent($0) }
    if environment.access == .readWrite, laterTables.contains(where: { $0 == nil }) {
      laterTables = try environment.tables(laterNames)
    }
    push = laterTables.removeFirst()
    digests = laterTables
    var tables = try environment.tables(StoreTables.names(for: catalog))[...]
    meta = tables.removeFirst()
    history = tables.removeFirst()
    records = catalog.entities.map { _ in tables.removeFirst() }
    indexes = catalog.indexes.map { _ in tables.removeFirst() }
    links = catalog.directions.map { $0.isToMany ? tables.removeFirst() : nil }
    contents = catalog.entities.map { $0.formedAttributes.isEmpty ? nil : tables.removeFirst() }
  }

  static let metaName = "meta"
  static let historyName = "history"
  static let pushName = "push"

  private static func names(for catalog: Catalog) -> [String] {
    [metaName, historyName] + catalog.entities.map { "r.\($0.id.rawValue)" }
      + catalog.indexes.map { "x.\($0.id.rawValue)" }
      + catalog.directions.filter(\.isToMany).map { "l.\($0.id.rawValue)" }
      + catalog.entities.filter { !$0.formedAttributes.isEmpty }.map { "b.\($0.id.rawValue)" }
  }

  /// These tables are not among the others, because a store may have been made before there were such.
  private static func laterNames(for catalog: Catalog) -> [String] {
    [pushName] + catalog.entities.map { "d.\($0.id.rawValue)" }
  }

  /// Makes sure that a store has every table of its stored catalog. They were made before the catalog was written, so one
  /// that is missing was lost, and must not be made again as if it had been empty.
  ///
  /// - Throws: `RecordError.damagedCatalog`.
  static func checkPresence(for catalog: Catalog, in environment: Environment) throws {
    let present = Set(try environment.tableNames())
    for name in names(for: catalog) where !present.contains(name) {
      throw RecordError.damagedCatalog(reason: "Its table \(name) is missing.")
    }
  }
}

/// The keys of the `meta` table.
enum MetaKey {
  static let format = [UInt8]("format".utf8)
  static let catalog = [UInt8]("catalog".utf8)
  /// The next rank.
  static let rank = [UInt8]("rank".utf8)

  /// Where the history begins, and whether one is kept.
  static let history = [UInt8]("history".utf8)

  /// The entities whose local changes are kept.
  static let push = [UInt8]("push".utf8)

  /// What the keys of the history's consumers begin with.
  static let consumerPrefix = [UInt8]("consumer ".utf8)

  /// How far a consumer has read.
  static func consumer(_ name: String) -> [UInt8] {
    consumerPrefix + [UInt8](name.utf8)
  }

  /// The next row number of an entity.
  static func rows(_ entity: EntityID) -> [UInt8] {
    [UInt8]("rows".utf8) + withUnsafeBytes(of: entity.rawValue.bigEndian) { [UInt8]($0) }
  }
}

extension UInt64 {
  /// The number as it stands in keys and in values of tables: eight bytes, big-endian, so that byte order is number order.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try withUnsafeBytes(of: bigEndian, body)
  }

  /// Reads a number that fills the buffer; nil when the buffer has another length.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 8 else { return nil }
    self.init(bigEndian: bytes.loadUnaligned(as: UInt64.self))
  }
}

/// A key of a table of contents: the row and the number that the attribute has in the history, twelve bytes.
struct ContentKey: Equatable {
  var row: RowNumber
  var attribute: UInt32

  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try withUnsafeBytes(of: (row.rawValue.bigEndian, attribute.bigEndian), body)
  }

  init(row: RowNumber, attribute: Attribute, of entity: Entity) {
    self.row = row
    self.attribute = UInt32(entity.propertyNumbers.number(of: attribute.propertyIndex))
  }

  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 12 else { return nil }
    row = RowNumber(rawValue: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
    attribute = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
  }
}

/// A key of a link table: owner row and member row, sixteen bytes.
struct LinkKey: Equatable {
  var owner: RowNumber
  var member: RowNumber

  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try withUnsafeBytes(of: (owner.rawValue.bigEndian, member.rawValue.bigEndian), body)
  }

  init(owner: RowNumber, member: RowNumber) {
    self.owner = owner
    self.member = member
  }

  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 16 else { return nil }
    owner = RowNumber(rawValue: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
    member = RowNumber(rawValue: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
  }
}
