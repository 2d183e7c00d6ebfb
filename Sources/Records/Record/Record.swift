/// An encoded record that owns its bytes: what a model object keeps of the row that it stands for.
@usableFromInline
package struct Record: Sendable {
  @usableFromInline
  package let bytes: RecordBytes
  /// Contents outside of the record that have been read; nil while there are none.
  private var contents: [FieldIndex: FieldValue]?

  /// A copy of the record that a view shows.
  package init(_ view: RecordView) {
    bytes = RecordBytes(view)
  }

  /// Whether a view shows the same version of the same row.
  package func isCopy(of view: RecordView) -> Bool {
    withView { $0.bytes.hasSameBytes(as: view.bytes) }
  }

  /// A field's value; a reference if the content lies outside and is not kept.
  package func value(_ field: FieldIndex) -> FieldValue {
    contents?[field] ?? withView { $0.value(field) }
  }

  /// Keeps the content that a field refers to.
  package mutating func keep(_ content: FieldValue, of field: FieldIndex) {
    contents = contents ?? [:]
    contents?[field] = content
  }

  /// Whether the record itself says everything, and no content that lies outside is kept beside it.
  package var isWhole: Bool { contents == nil }

  /// Shows the record; the view is valid inside of the closure.
  @inlinable
  package func withView<Result>(_ body: (RecordView) throws -> Result) rethrows -> Result {
    try withExtendedLifetime(bytes) { try body(bytes.view) }
  }
}

extension Record: Equatable {
  /// Whether two records are the same version of the same row: the checksum at their end covers entity and row too.
  @usableFromInline
  package static func == (left: Record, right: Record) -> Bool {
    right.withView { left.isCopy(of: $0) }
  }
}
