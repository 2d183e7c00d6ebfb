import FoundationEssentials

/// The text of a payload, wherever its bytes lie.
package enum PayloadText: Sendable {
  case array([UInt8])
  case data(Data)
  case mapped(MappedText)

  /// Calls a closure with the bytes. As long as the text is kept, and if it is `fixed`, they stay where they are.
  func withBytes<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    switch self {
    case .array(let bytes):
      return try bytes.withUnsafeBufferPointer(body)
    case .data(let data):
      let result = data.withUnsafeBytes { bytes in
        Swift.Result { () throws(Failure) in try body(bytes.assumingMemoryBound(to: UInt8.self)) }
      }
      return try result.get()
    case .mapped(let text):
      return try body(text.bytes)
    }
  }

  /// Data of fewer bytes than this may have them in the value itself, where every copy has its own.
  private static let fixedBytesMin = 64

  /// The same text, with bytes that stay where they are.
  var fixed: PayloadText {
    if case .data(let data) = self, data.count < Self.fixedBytesMin { return .array([UInt8](data)) }
    return self
  }

  /// Says that a range of the text won't be read soon. Where it can be had again, its memory is given back.
  func release(_ range: Range<Int>) {
    if case .mapped(let text) = self { text.release(range) }
  }
}
