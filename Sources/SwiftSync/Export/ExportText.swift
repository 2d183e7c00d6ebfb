import SyncEngine

/// The text of exported objects, handed over piece by piece.
struct ExportText {
  /// How much is gathered before it is handed over.
  private static let pieceByteCount = 1 << 18

  var writer = JSONWriter()
  private let format: SyncContainer.ExportFormat
  private var count = 0

  init(_ format: SyncContainer.ExportFormat) {
    self.format = format
    if format == .array { writer.beginArray() }
  }

  /// Ends an object that was written, and hands over what there is when it is worth it.
  mutating func endObject(into sink: (UnsafeRawBufferPointer) throws -> Void) rethrows {
    if format == .lines { writer.endLine() }
    try writer.drain(atLeast: Self.pieceByteCount, into: sink)
    count += 1
  }

  /// Ends the text and hands over the rest.
  ///
  /// - Returns: How many objects it has.
  mutating func finish(into sink: (UnsafeRawBufferPointer) throws -> Void) rethrows -> Int {
    if format == .array { writer.endArray() }
    try writer.drain(into: sink)
    return count
  }
}
