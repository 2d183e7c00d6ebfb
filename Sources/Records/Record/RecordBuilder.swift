import FoundationEssentials

/// Makes records: fields are set in any order, and the record is encoded from them once.
///
/// A builder is made once and used for many rows, `reset()` or `load(_:)` in between; setting a field allocates nothing once
/// the buffers have grown to the size of the rows. Setters that are given something that the field cannot hold (another
/// type, a number out of range) leave the field as it is and return false. Builders aren't copied, which would cost more than
/// most setters do.
package struct RecordBuilder: ~Copyable {
  package let layout: RecordLayout
  /// The head of the record as it will be: version, presence bits, fixed section.
  var head: [UInt8]
  /// Where each field of varying length lies in `heap`.
  var spans: [Span]
  /// The values of varying length in the order in which they were set. A value that was set again stays behind as a hole
  /// until the next reset.
  var heap: [UInt8] = []
  /// The contents that fields refer to, if they were set since the builder was last reset or loaded. What a loaded record
  /// refers to is not among them.
  var contents: [FieldIndex: LargeContent] = [:]
  /// Holds the record while it is compared with the stored one.
  private var encoded: [UInt8] = []

  struct Span {
    var start = 0
    var count = 0
  }

  package init(_ layout: RecordLayout) {
    self.layout = layout
    head = [UInt8](repeating: 0, count: layout.headByteCount)
    spans = [Span](repeating: Span(), count: layout.variableCount)
    reset()
  }

  /// Makes every field null.
  package mutating func reset() {
    head.withUnsafeMutableBytes { head in
      _ = head.initializeMemory(as: UInt8.self, repeating: 0)
      head.storeBytes(of: layout.version.littleEndian, as: UInt16.self)
    }
    for index in spans.indices { spans[index] = Span() }
    heap.removeAll(keepingCapacity: true)
    contents.removeAll()
  }

  /// Takes over every field of an existing record of the same layout.
  package mutating func load(_ record: RecordView) {
    assert(record.layout.version == layout.version && record.layout.fields.count == layout.fields.count)
    head.withUnsafeMutableBytes { $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: record.bytes[..<$0.count])) }
    contents.removeAll()
    heap.removeAll(keepingCapacity: true)
    heap.append(contentsOf: record.bytes[layout.variableOffset..<(record.bytes.count - RecordLayout.checksumByteCount)])
    var start = 0
    for index in spans.indices {
      let offset = layout.headByteCount + 4 * index
      let end = Int(UInt32(littleEndian: record.bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
      spans[index] = Span(start: start, count: end - start)
      start = end
    }
  }
}

extension RecordBuilder {
  /// The length of the record, its checksum included.
  package var encodedByteCount: Int {
    spans.reduce(layout.recordByteCountMin) { $0 + $1.count }
  }

  /// Writes the record, for a row of an entity.
  ///
  /// - Parameters:
  ///   - buffer: Exactly `encodedByteCount` bytes.
  ///   - entity: Whose record it is.
  ///   - row: Whose record it is.
  package func encode(into buffer: UnsafeMutableRawBufferPointer, entity: EntityID, row: RowNumber) {
    encodePayload(into: buffer)
    RecordChecksum.write(to: buffer, entity: entity, row: row)
  }

  /// Writes everything except the checksum, whose place is left as it is.
  func encodePayload(into buffer: UnsafeMutableRawBufferPointer) {
    guard let base = buffer.baseAddress, buffer.count == encodedByteCount else {
      assertionFailure("The buffer does not have the length of the record.")
      return
    }
    head.withUnsafeBytes { buffer.copyMemory(from: $0) }
    heap.withUnsafeBytes { heap in
      var end = 0
      for (index, span) in spans.enumerated() {
        if span.count > 0, let source = heap.baseAddress {
          (base + layout.variableOffset + end).copyMemory(from: source + span.start, byteCount: span.count)
        }
        end += span.count
        buffer.storeBytes(
          of: UInt32(truncatingIfNeeded: end).littleEndian, toByteOffset: layout.headByteCount + 4 * index,
          as: UInt32.self)
      }
    }
  }

  /// Encodes the record, except for its checksum, into a buffer of the builder that is valid inside of the closure.
  mutating func withEncoding<Result>(_ body: (UnsafeMutableRawBufferPointer) throws -> Result) rethrows -> Result {
    let byteCount = encodedByteCount
    var buffer: [UInt8] = []
    swap(&buffer, &encoded)
    defer { swap(&buffer, &encoded) }
    if buffer.count < byteCount { buffer = [UInt8](repeating: 0, count: byteCount * 2) }
    return try buffer.withUnsafeMutableBytes { buffer in
      let record = UnsafeMutableRawBufferPointer(rebasing: buffer[..<byteCount])
      encodePayload(into: record)
      return try body(record)
    }
  }

  /// Whether the record would be without a field of which a bit is set in some presence bits.
  package func lacks(_ presence: [UInt8]) -> Bool {
    presence.indices.contains { presence[$0] & ~head[RecordLayout.presenceOffset + $0] != 0 }
  }
}
