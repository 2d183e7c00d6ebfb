/// An encoded record that owns its bytes: what a model object keeps of the row that it stands for.
package struct Record: Sendable {
  private let bytes: [UInt8]
  private let layout: RecordLayout
  /// Contents outside of the record that have been read.
  private var contents: [FieldIndex: FieldValue] = [:]

  /// A copy of the record that a view shows.
  package init(_ view: RecordView) {
    bytes = [UInt8](view.bytes)
    layout = view.layout
  }

  /// Whether a view shows the same version of the same row.
  package func isCopy(of view: RecordView) -> Bool {
    bytes.withUnsafeBytes { $0.hasSameBytes(as: view.bytes) }
  }

  /// A field's value; a reference if the content lies outside and is not kept.
  package func value(_ field: FieldIndex) -> FieldValue {
    contents[field] ?? withView { $0.value(field) }
  }

  /// Keeps the content that a field refers to.
  package mutating func keep(_ content: FieldValue, of field: FieldIndex) {
    contents[field] = content
  }

  /// Shows the record; the view is valid inside of the closure.
  package func withView<Result>(_ body: (RecordView) throws -> Result) rethrows -> Result {
    try bytes.withUnsafeBytes { try body(RecordView($0, layout)) }
  }
}

extension Record: Equatable {
  /// Whether two records are the same version of the same row: the checksum at their end covers entity and row too.
  package static func == (left: Record, right: Record) -> Bool {
    left.bytes == right.bytes
  }
}
