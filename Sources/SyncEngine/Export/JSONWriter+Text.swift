import FoundationEssentials

// How values are written as text, digit by digit: descriptions of numbers and dates are strings, and making these takes longer than
// all else that an export does.
extension JSONWriter {
  mutating func appendDate(_ seconds: Double) {
    guard let parts = DateFormat.Parts(seconds) else {
      bytes.append(contentsOf: seconds.description.utf8)
      return
    }
    if (0...9999).contains(parts.year) { return append(parts) }
    if parts.year < 0 { bytes.append(UInt8(ascii: "-")) }
    append(Int(parts.year.magnitude), digits: 4, then: "-")
    append(parts.month, digits: 2, then: "-")
    append(parts.day, digits: 2, then: "T")
    append(parts.hour, digits: 2, then: ":")
    append(parts.minute, digits: 2, then: ":")
    append(parts.second, digits: 2, then: ".")
    append(parts.millisecond, digits: 3, then: "Z")
  }

  /// The text of a date whose year has four digits, written in one piece.
  private mutating func append(_ parts: DateFormat.Parts) {
    let textBytes = 24
    withUnsafeTemporaryAllocation(byteCount: textBytes, alignment: 1) { text in
      /// Writes two digits and what stands behind them.
      func write(_ number: Int, at place: Int, then character: UInt8) {
        text[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10)
        text[place + 1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10)
        text[place + 2] = character
      }
      write(parts.year / 100, at: 0, then: 0)
      write(parts.year % 100, at: 2, then: UInt8(ascii: "-"))
      write(parts.month, at: 5, then: UInt8(ascii: "-"))
      write(parts.day, at: 8, then: UInt8(ascii: "T"))
      write(parts.hour, at: 11, then: UInt8(ascii: ":"))
      write(parts.minute, at: 14, then: UInt8(ascii: ":"))
      write(parts.second, at: 17, then: UInt8(ascii: "."))
      write(parts.millisecond / 10, at: 20, then: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: parts.millisecond % 10))
      text[23] = UInt8(ascii: "Z")
      bytes.append(contentsOf: text)
    }
  }

  /// A number that is not negative, with zeros in front of it up to a number of digits.
  @inline(__always)
  private mutating func append(_ number: Int, digits: Int, then character: Unicode.Scalar) {
    var divisor = 1
    for _ in 1..<digits { divisor *= 10 }
    if number >= divisor * 10 {
      append(UInt64(number))
    } else {
      while divisor > 0 {
        bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / divisor % 10))
        divisor /= 10
      }
    }
    bytes.append(UInt8(ascii: character))
  }

  mutating func append(_ number: UInt64) {
    let digitsMax = 20
    withUnsafeTemporaryAllocation(byteCount: digitsMax, alignment: 1) { text in
      var (rest, start) = (number, digitsMax)
      repeat {
        start -= 1
        text[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: text[start...]))
    }
  }

  /// A UUID's sixteen bytes, as two digits each, in groups.
  mutating func append(_ uuid: UnsafeRawBufferPointer) {
    let textBytes = 36
    withUnsafeTemporaryAllocation(byteCount: textBytes, alignment: 1) { text in
      var place = 0
      for index in uuid.indices {
        if index == 4 || index == 6 || index == 8 || index == 10 {
          text[place] = UInt8(ascii: "-")
          place += 1
        }
        text[place] = Self.hexDigit(uuid[index] >> 4, ten: UInt8(ascii: "A"))
        text[place + 1] = Self.hexDigit(uuid[index] & 0xF, ten: UInt8(ascii: "A"))
        place += 2
      }
      bytes.append(contentsOf: text)
    }
  }

  private static func hexDigit(_ value: UInt8, ten: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : ten + value - 10
  }

  /// Whether one of eight bytes may have to be escaped: it is below the space, a quotation mark or a backslash. In each of three
  /// words such a byte is the only one whose highest bit a subtraction sets, or one behind it.
  @inline(__always)
  private static func needsEscape(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let (quote, backslash) = (word ^ (ones &* 0x22), word ^ (ones &* 0x5C))
    let below = (word &- ones &* 0x20) & ~word
    let equal = (quote &- ones) & ~quote | (backslash &- ones) & ~backslash
    return (below | equal) & (ones << 7) != 0
  }

  mutating func appendEscaped(_ utf8: UnsafeRawBufferPointer) {
    var start = 0
    var next = 0
    while next < utf8.count {
      if next + 8 <= utf8.count, !Self.needsEscape(utf8.loadUnaligned(fromByteOffset: next, as: UInt64.self)) {
        next += 8
        continue
      }
      let (index, byte) = (next, utf8[next])
      next += 1
      guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
      bytes.append(contentsOf: utf8[start..<index])
      start = index + 1
      bytes.append(UInt8(ascii: "\\"))
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
      case 0x08: bytes.append(UInt8(ascii: "b"))
      case 0x09: bytes.append(UInt8(ascii: "t"))
      case 0x0A: bytes.append(UInt8(ascii: "n"))
      case 0x0C: bytes.append(UInt8(ascii: "f"))
      case 0x0D: bytes.append(UInt8(ascii: "r"))
      default:
        bytes.append(contentsOf: "u00".utf8)
        bytes.append(byte < 0x10 ? UInt8(ascii: "0") : UInt8(ascii: "1"))
        bytes.append(Self.hexDigit(byte & 0xF, ten: UInt8(ascii: "a")))
      }
    }
    bytes.append(contentsOf: utf8[start...])
  }
}
