import CSimdjson

/// The places of a JSON text's tokens: every bracket, brace, colon and comma outside of strings, and the first byte of every
/// string, number and word. The text's encoding has been checked with it.
///
/// Unchecked, because the index is memory of a C library; nobody writes to it once it is made, and it is freed with its last
/// owner.
final class TokenIndex: @unchecked Sendable {
  private let index: csimdjson_index

  var tokens: UnsafeBufferPointer<UInt32> { UnsafeBufferPointer(start: index.positions, count: index.count) }

  /// Why there is no index.
  enum Refusal: Error {
    case malformed
    /// The text ends inside of a string.
    case unclosedString
    case tooLarge
    case noMemory
  }

  /// Finds the tokens of a text, or of a part of one, from a place on. There are none in white space.
  init(of text: UnsafeBufferPointer<UInt8>, from start: Int = 0) throws(Refusal) {
    var index = csimdjson_index()
    switch csimdjson_index_make(text.baseAddress.map { $0 + start }, text.count - start, &index) {
    case CSIMDJSON_OK: break
    case CSIMDJSON_EMPTY: index.count = 0
    case CSIMDJSON_UNCLOSED_STRING: throw .unclosedString
    case CSIMDJSON_NO_CAPACITY: throw text.count > PayloadNode.offsetMax ? .tooLarge : .noMemory
    default: throw .malformed
    }
    if start > 0 {
      for token in 0..<Int(index.count) { index.positions[token] += UInt32(start) }
    }
    self.index = index
  }

  /// Finds the tokens of a whole text.
  ///
  /// - Throws: `PayloadError.malformed` (or `.malformedLine`) for text that is not UTF-8 or has a string that isn't closed.
  convenience init(_ text: UnsafeBufferPointer<UInt8>, as format: PayloadFormat) throws(PayloadError) {
    do throws(Refusal) {
      try self.init(of: text, from: text.byteOrderMarkCount)
    } catch {
      throw PayloadError(error, in: text, as: format)
    }
    if tokens.isEmpty, format == .json { throw .malformed(offset: 0, fault: .emptyText) }
  }

  deinit {
    csimdjson_index_free(index)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// How many bytes the text has of a byte-order mark: what some editors and spreadsheets put in front of UTF-8 text. It says
  /// nothing about the text.
  var byteOrderMarkCount: Int { starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }
}

extension PayloadError {
  /// What a text of which the tokens can't be found is refused for.
  init(_ refusal: TokenIndex.Refusal, in text: UnsafeBufferPointer<UInt8>, as format: PayloadFormat) {
    switch refusal {
    case .tooLarge: self = .tooLarge(limit: "4 GiB of text")
    case .noMemory: self = .noMemory
    case .malformed, .unclosedString:
      let fault = JSONFaultFinder.find(in: text)
      self = format == .ndjson ? fault.inLine(of: text) : fault
    }
  }
}
