/// The bytes of a record and the layout that says what they mean, in one allocation.
///
/// Unchecked `Sendable`: nothing is written to the buffer after `init` has made it.
@usableFromInline
package struct RecordBytes: @unchecked Sendable {
  private struct Header {
    let layout: RecordLayout
    let byteCount: Int
  }

  private let buffer: ManagedBuffer<Header, UInt8>

  /// A copy of what a view shows.
  init(_ view: RecordView) {
    let header = Header(layout: view.layout, byteCount: view.bytes.count)
    buffer = ManagedBuffer.create(minimumCapacity: header.byteCount) { _ in header }
    buffer.withUnsafeMutablePointerToElements { elements in
      UnsafeMutableRawBufferPointer(start: elements, count: header.byteCount).copyMemory(from: view.bytes)
    }
  }

  /// The record, valid as long as these bytes are kept: the memory of an object does not move.
  @usableFromInline
  package var view: RecordView {
    buffer.withUnsafeMutablePointers { header, elements in
      RecordView(UnsafeRawBufferPointer(start: elements, count: header.pointee.byteCount), header.pointee.layout)
    }
  }
}
