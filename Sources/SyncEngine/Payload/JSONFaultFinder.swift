/// Finds the place of a fault that the tokenizer reports without a place: bad UTF-8, an unclosed string, a bare control
/// character in a string. It runs only when a payload is refused.
enum JSONFaultFinder {
  static func find(in text: UnsafeBufferPointer<UInt8>) -> PayloadError {
    var stringStart: Int?
    var index = 0
    while index < text.count {
      let byte = text[index]
      if byte >= 0x80 {
        guard let length = sequenceLength(in: text, at: index) else {
          return .malformed(offset: index, fault: .invalidUTF8)
        }
        index += length
        continue
      }
      if stringStart != nil {
        switch byte {
        case UInt8(ascii: "\\"): if index + 1 < text.count, text[index + 1] < 0x80 { index += 1 }
        case UInt8(ascii: "\""): stringStart = nil
        case ..<0x20: return .malformed(offset: index, fault: .controlCharacterInString(byte))
        default: break
        }
      } else if byte == UInt8(ascii: "\"") {
        stringStart = index
      }
      index += 1
    }
    return .malformed(offset: stringStart ?? text.count, fault: .unclosedString)
  }

  /// The length of the UTF-8 sequence at a place, nil if it isn't one.
  private static func sequenceLength(in text: UnsafeBufferPointer<UInt8>, at index: Int) -> Int? {
    func continuation(_ offset: Int, _ range: ClosedRange<UInt8> = 0x80...0xBF) -> Bool {
      index + offset < text.count && range.contains(text[index + offset])
    }
    switch text[index] {
    case 0xC2...0xDF:
      return continuation(1) ? 2 : nil
    case 0xE0...0xEF:
      // The first continuation byte rules out overlong forms and surrogates.
      let range: ClosedRange<UInt8> =
        switch text[index] {
        case 0xE0: 0xA0...0xBF
        case 0xED: 0x80...0x9F
        default: 0x80...0xBF
        }
      return continuation(1, range) && continuation(2) ? 3 : nil
    case 0xF0...0xF4:
      let range: ClosedRange<UInt8> =
        switch text[index] {
        case 0xF0: 0x90...0xBF
        case 0xF4: 0x80...0x8F
        default: 0x80...0xBF
        }
      return continuation(1, range) && continuation(2) && continuation(3) ? 4 : nil
    default: return nil
    }
  }
}
