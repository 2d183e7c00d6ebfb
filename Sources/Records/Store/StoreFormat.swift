import FoundationEssentials
import KeyValueStore

/// The catalog of a store that has just been opened.
struct OpenedCatalog {
  let catalog: Catalog
  /// The checksum that it is stored with; 0 if it is not known.
  var checksum: UInt64 = 0
}

/// The record layer's part of a store: its format version and its catalog, in the `meta` table.
enum StoreFormat {
  /// The format that this version writes, and the newest that it reads.
  ///
  /// 2 is 1 with digests of rows, 4 is 2 with what local edits have done to rows. A version that knows nothing of one of these would
  /// change rows and not what is noted of them, so it must not write to the store any more.
  ///
  /// Each has one bit, because no checksum covers it: a flipped bit makes none of another.
  static let version: UInt32 = 4

  /// The catalog of a store, or nil when the store is empty: just created.
  ///
  /// - Throws: `RecordError.notARecordStore` when the store has content of another kind, `.newerFormat`, `.damagedCatalog`.
  static func readCatalog(in environment: Environment) throws -> OpenedCatalog? {
    guard let meta = try environment.tableIfPresent(StoreTables.metaName) else {
      guard try environment.tableNames().isEmpty else {
        throw RecordError.notARecordStore(path: environment.directory)
      }
      return nil
    }
    let (format, catalog) = try environment.read { snapshot in
      (try snapshot.value(for: MetaKey.format, in: meta), try snapshot.value(for: MetaKey.catalog, in: meta))
    }
    guard let format else {
      // Only our own first opening, interrupted before it wrote the catalog, leaves a `meta` table without a format.
      let names = try environment.tableNames()
      guard catalog == nil, names.allSatisfy(isOwnTableName) else {
        throw RecordError.notARecordStore(path: environment.directory)
      }
      return nil
    }
    try check(format, at: environment.directory)
    let document = try self.catalog(catalog)
    let checksum = catalog?.suffix(SealedValue.checksumByteCount).withUnsafeBytes { UInt64($0) }
    return OpenedCatalog(catalog: try Catalog(document), checksum: (checksum ?? nil) ?? 0)
  }

  /// The catalog in a stored value.
  ///
  /// - Throws: `RecordError.damagedCatalog`.
  static func catalog(_ value: [UInt8]?) throws -> CatalogDocument {
    guard let value else { throw RecordError.damagedCatalog(reason: "There is none.") }
    guard let catalog = SealedValue.open(value, under: MetaKey.catalog) else {
      throw RecordError.damagedCatalog(reason: "Its checksum is wrong.")
    }
    if let document = catalog.withUnsafeBytes(CatalogText.read) { return document }
    do {
      return try JSONDecoder().decode(CatalogDocument.self, from: Data(catalog))
    } catch {
      throw RecordError.damagedCatalog(reason: "It is not the JSON that it should be: \(error)")
    }
  }

  static func write(_ document: CatalogDocument, to meta: Table, in transaction: WriteTransaction) throws {
    let encoder = JSONEncoder()
    // Sorted, so that the same catalog is the same bytes.
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let catalog = [UInt8](try encoder.encode(document))
    try writeVersion(to: meta, in: transaction)
    try transaction.put(SealedValue.seal(catalog, under: MetaKey.catalog), for: MetaKey.catalog, in: meta)
  }

  /// Gives a store of an earlier format this one, before this version changes anything in it.
  static func raise(_ meta: Table, in environment: Environment) throws {
    let isEarlier = try environment.read { snapshot in
      try snapshot.value(for: MetaKey.format, in: meta).map { try number(of: $0) < version } ?? false
    }
    guard isEarlier else { return }
    try environment.write(durability: .full) { transaction in try writeVersion(to: meta, in: transaction) }
  }

  private static func writeVersion(to meta: Table, in transaction: WriteTransaction) throws {
    try transaction.put(withUnsafeBytes(of: version.bigEndian) { [UInt8]($0) }, for: MetaKey.format, in: meta)
  }

  private static func number(of format: [UInt8]) throws -> UInt32 {
    guard format.count == 4 else { throw RecordError.damagedCatalog(reason: "The format is not four bytes.") }
    return format.reduce(0) { $0 << 8 | UInt32($1) }
  }

  private static func check(_ format: [UInt8], at path: String) throws {
    let found = try number(of: format)
    guard found <= version else { throw RecordError.newerFormat(path: path, found: found, supported: version) }
    guard found.nonzeroBitCount == 1 else {
      throw RecordError.damagedCatalog(reason: "There is no format \(found).")
    }
  }

  private static func isOwnTableName(_ name: String) -> Bool {
    [StoreTables.metaName, StoreTables.historyName, StoreTables.pushName].contains(name)
      || ["r.", "x.", "l.", "b.", "d."].contains { name.hasPrefix($0) }
  }
}
