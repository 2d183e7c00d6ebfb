/// Where rows stand in the order of a query: texts of bytes that compare as the rows do.
///
/// With them it can be told of two rows which comes first without running the query.
package struct OrderPlaces: Sendable {
  private let order: RowOrder
  private let entity: Entity

  /// - Throws: `QueryError` for an order that does not fit the entity.
  package init(_ query: RecordQuery, in catalog: Catalog) throws {
    order = try RowOrder(query.order, of: query.entity, in: catalog)
    entity = query.entity
  }

  /// The place of a row, different from that of any other.
  package func place(of row: RowNumber, _ record: RecordView, in snapshot: RecordSnapshot) throws -> [UInt8] {
    var encoder = KeyEncoder()
    try SortKeyMaker(order, of: entity, in: snapshot).append(row, record, to: &encoder)
    return encoder.bytes
  }

  /// The place of a row; nil when there is no such row.
  package func place(of row: RowNumber, in snapshot: RecordSnapshot) throws -> [UInt8]? {
    try snapshot.withRecord(row, of: entity) { try place(of: row, $0, in: snapshot) }
  }
}
