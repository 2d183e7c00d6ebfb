import KeyValueStore
import Synchronization

/// Notices that a store has another catalog than the one it was opened with.
///
/// A second handle in the process may open the store with another schema, and a process that only reads may have a store open
/// while a new one begins to write it. Whoever went on with the old catalog would take rows for damaged, find nothing in an
/// index that is gone, or write rows without entries in one that is new.
final class CatalogWatch: Sendable {
  /// The checksum of the stored catalog that was last found to fit; 0 for none.
  private let checksum: Atomic<UInt64>
  /// The number of a state whose catalog fits (`Snapshot.stateNumber`), so that a second snapshot of it need not look; 0 for none.
  private let stateNumber = Atomic(0)

  init(_ checksum: UInt64 = 0) {
    self.checksum = Atomic(checksum)
  }

  /// Looks at the stored catalog of a snapshot: at its checksum alone, unless that is another than before.
  ///
  /// - Throws: `RecordError.schemaChanged`.
  func check(_ snapshot: Snapshot, against catalog: Catalog, tables: StoreTables, in environment: Environment) throws {
    let number = snapshot.stateNumber
    if let number, number == stateNumber.load(ordering: .relaxed) { return }
    try checkCatalog(snapshot, against: catalog, tables: tables, in: environment)
    if let number { stateNumber.store(number, ordering: .relaxed) }
  }

  private func checkCatalog(
    _ snapshot: Snapshot, against catalog: Catalog, tables: StoreTables, in environment: Environment
  ) throws {
    let stored = try snapshot.withValue(for: MetaKey.catalog, in: tables.meta) { value in
      UInt64(UnsafeRawBufferPointer(rebasing: value.suffix(SealedValue.checksumByteCount)))
    }
    guard let stored = stored ?? nil else { throw RecordError.damagedCatalog(reason: "There is none.") }
    if stored == checksum.load(ordering: .relaxed) { return }
    let document = try StoreFormat.catalog(snapshot.value(for: MetaKey.catalog, in: tables.meta))
    guard catalog.document.isContained(in: document) else {
      throw RecordError.schemaChanged(path: environment.directory)
    }
    checksum.store(stored, ordering: .relaxed)
  }
}
