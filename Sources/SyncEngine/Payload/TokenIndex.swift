import CSimdjson

/// The places of a JSON text's tokens: every bracket, brace, colon and comma outside of strings, and the first byte of every
/// string, number and word. The text's encoding has been checked with it.
///
/// Unchecked, because the index is memory of a C library; nobody writes to it once it is made, and it is freed with its last
/// owner.
final class TokenIndex: @unchecked Sendable {
  private let index: csimdjson_index

  var tokens: UnsafeBufferPointer<UInt32> { UnsafeBufferPointer(start: index.positions, count: index.count) }

  /// What some editors and spreadsheets put in front of UTF-8 text. It says nothing about the text.
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// - Throws: `PayloadError.malformed` (or `.malformedLine`) for text that is not UTF-8 or has a string that isn't closed.
  init(_ text: UnsafeBufferPointer<UInt8>, as format: PayloadFormat) throws(PayloadError) {
    var index = csimdjson_index()
    let start = text.starts(with: Self.byteOrderMark) ? Self.byteOrderMark.count : 0
    switch csimdjson_index_make(text.baseAddress.map { $0 + start }, text.count - start, &index) {
    case CSIMDJSON_OK: break
    case CSIMDJSON_EMPTY where format == .json: throw .malformed(offset: 0, fault: .emptyText)
    case CSIMDJSON_EMPTY: index.count = 0
    case CSIMDJSON_NO_CAPACITY:
      if text.count > PayloadNode.offsetMax { throw .tooLarge(limit: "4 GiB of text") }
      throw .noMemory
    default:
      let fault = JSONFaultFinder.find(in: text)
      throw format == .ndjson ? fault.inLine(of: text) : fault
    }
    if start > 0 {
      for token in 0..<Int(index.count) { index.positions[token] += UInt32(start) }
    }
    self.index = index
  }

  deinit {
    csimdjson_index_free(index)
  }
}
