import KeyValueStore

/// A write transaction on records: changes rows and links, and keeps indexes, inverse links and the change set along.
///
/// Reads see what was written before. Entries of indexes and of to-many directions are buffered and applied in key order
/// when they are next read or when the transaction ends, so a unique conflict or a link to a row that does not exist is thrown
/// then at the latest. After such an error the transaction cannot be committed any more, even if the caller catches it.
///
/// What may be broken on the way and must hold at the end (`DeferredConstraints`) is judged when the body is through.
package final class RecordTransaction: RecordSnapshot {
  let transaction: WriteTransaction
  let author: String?
  var constraints: DeferredConstraints
  private let buffers: Pinned<Buffers>
  /// By entity: the digests that were set.
  var digests: [[RowWithDigest]]
  /// The identities of the first rows of each entity that went along with another one, by a cascade.
  package internal(set) var cascadedIdentities: [EntityID: [FieldValue]] = [:]
  /// Whether it writes local changes, so that it has to be known what rows were before.
  let keepsBases: Bool
  /// By entity, if so: the records of rows as they were before the transaction changed them.
  var bases: [[RowNumber: [UInt8]]]
  /// What is used for every row.
  private struct Buffers {
    var counters: Counters
    var capture: ChangeCapture
    var indexes: [IndexWriteBuffer]
    var links: [LinkWriteBuffer]
  }

  /// The error that left the transaction half done.
  private var failure: (any Error)?

  init(
    _ transaction: WriteTransaction, catalog: Catalog, tables: StoreTables, author: String?, keepsBases: Bool = false
  ) {
    self.transaction = transaction
    self.author = author
    self.keepsBases = keepsBases
    bases = keepsBases ? [[RowNumber: [UInt8]]](repeating: [:], count: catalog.entities.count) : []
    constraints = DeferredConstraints(catalog)
    buffers = Pinned(
      Buffers(
        counters: Counters(catalog), capture: ChangeCapture(catalog),
        indexes: [IndexWriteBuffer](repeating: IndexWriteBuffer(), count: catalog.indexes.count),
        links: [LinkWriteBuffer](repeating: LinkWriteBuffer(), count: catalog.directions.count)))
    digests = [[RowWithDigest]](repeating: [], count: catalog.entities.count)
    super.init(transaction, catalog: catalog, tables: tables)
  }

  var counters: Counters {
    @inline(__always) _read { yield buffers.value.counters }
    @inline(__always) _modify { yield &buffers.value.counters }
  }

  var capture: ChangeCapture {
    @inline(__always) _read { yield buffers.value.capture }
    @inline(__always) _modify { yield &buffers.value.capture }
  }

  var indexBuffers: [IndexWriteBuffer] {
    @inline(__always) _read { yield buffers.value.indexes }
    @inline(__always) _modify { yield &buffers.value.indexes }
  }

  var linkBuffers: [LinkWriteBuffer] {
    @inline(__always) _read { yield buffers.value.links }
    @inline(__always) _modify { yield &buffers.value.links }
  }

  /// What the transaction has changed so far.
  package var changes: ChangeSet { capture.changeSet(author: author) }

  /// Marks a row as updated in the change set, without a property that differs.
  package func touch(_ row: RowNumber, of entity: Entity) throws {
    guard try contains(row, of: entity) else { throw RecordError.noSuchRow(entity: entity.name, row: row) }
    capture.noteUpdated(row, properties: PropertySet(), entitySlot: entity.slot)
  }

  override func settle(_ index: Index) throws {
    if !indexBuffers[index.slot].isEmpty { try changing { try applyChanges(of: index) } }
  }

  override func settle(_ direction: LinkDirection, for owner: RowNumber?) throws {
    let hasChanges =
      if let owner {
        linkBuffers[direction.slot].mayConcern(owner)
      } else {
        !linkBuffers[direction.slot].isEmpty
      }
    if hasChanges { try changing { try applyChanges(of: direction) } }
  }

  override func settleEverything() throws {
    for index in catalog.indexes { try settle(index) }
    for direction in catalog.directions { try settle(direction, for: nil) }
  }

  /// Finds out whether the transaction could be committed as it is now.
  ///
  /// - Throws: What a commit would throw of the rows: `RecordError.uniqueConflict`, `.noSuchRow`, `.deleteDenied` and
  ///   `.missingDestination`.
  package func validate() throws {
    try settleEverything()
    if let failure { throw failure }
    try checkConstraints()
  }

  /// Applies everything that is still buffered, and judges what was left for the end. Called once, before the commit.
  func finish() throws {
    try validate()
    try settleDigests()
    try counters.write(to: transaction, catalog: catalog, tables: tables)
  }

  /// Runs a step that leaves the transaction half done when it throws.
  func changing<Result>(_ step: () throws -> Result) throws -> Result {
    if let failure { throw failure }
    do {
      return try step()
    } catch {
      failure = error
      throw error
    }
  }

  func takeRank() throws -> UInt64 {
    let rank = try counters.nextRank ?? super.nextRank()
    counters.nextRank = rank + 1
    return rank
  }

  func takeRow(of entity: Entity) throws -> RowNumber {
    let row = try counters.nextRows[entity.slot] ?? super.nextRow(of: entity)
    counters.nextRows[entity.slot] = row + 1
    return RowNumber(rawValue: row)
  }

  override func nextRank() throws -> UInt64 {
    try counters.nextRank ?? super.nextRank()
  }

  package override func nextRow(of entity: Entity) throws -> UInt64 {
    try counters.nextRows[entity.slot] ?? super.nextRow(of: entity)
  }
}
