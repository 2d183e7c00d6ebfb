/// The escape sequences in JSON strings.
enum JSONEscapes {
  /// Appends the bytes of a string's body with every escape replaced by what it stands for.
  ///
  /// A surrogate without its other half is no character. To put U+FFFD in its place would make different identities equal.
  ///
  /// - Parameters:
  ///   - body: What stands between the quotes.
  ///   - textOffset: Where the body begins in the text, for the error.
  ///   - output: Where the bytes go.
  /// - Throws: `PayloadError.malformed` at an escape that JSON doesn't have, or that is half a character.
  static func decode(
    _ body: UnsafeBufferPointer<UInt8>, textOffset: Int, into output: inout [UInt8]
  ) throws(PayloadError) {
    var index = 0
    while index < body.count {
      let byte = body[index]
      guard byte == UInt8(ascii: "\\") else {
        output.append(byte)
        index += 1
        continue
      }
      let fault = PayloadError.malformed(offset: textOffset + index, fault: .invalidEscape)
      guard index + 1 < body.count else { throw fault }
      switch body[index + 1] {
      case UInt8(ascii: "\""): output.append(UInt8(ascii: "\""))
      case UInt8(ascii: "\\"): output.append(UInt8(ascii: "\\"))
      case UInt8(ascii: "/"): output.append(UInt8(ascii: "/"))
      case UInt8(ascii: "b"): output.append(0x08)
      case UInt8(ascii: "f"): output.append(0x0C)
      case UInt8(ascii: "n"): output.append(0x0A)
      case UInt8(ascii: "r"): output.append(0x0D)
      case UInt8(ascii: "t"): output.append(0x09)
      case UInt8(ascii: "u"):
        guard let unit = codeUnit(in: body, at: index) else { throw fault }
        index += 6
        if unit & 0xF800 == 0xD800 {
          guard unit & 0x400 == 0, let low = codeUnit(in: body, at: index), low & 0xFC00 == 0xDC00
          else { throw .malformed(offset: textOffset + index - 6, fault: .loneSurrogate) }
          append(0x10000 + ((unit & 0x3FF) << 10) + (low & 0x3FF), to: &output)
          index += 6
        } else {
          append(unit, to: &output)
        }
        continue
      default: throw fault
      }
      index += 2
    }
  }

  /// The number in `\uXXXX` at a place of a body, nil if there is no such sequence.
  private static func codeUnit(in body: UnsafeBufferPointer<UInt8>, at index: Int) -> UInt32? {
    guard index + 6 <= body.count, body[index] == UInt8(ascii: "\\"), body[index + 1] == UInt8(ascii: "u")
    else { return nil }
    var unit: UInt32 = 0
    for place in index + 2..<index + 6 {
      guard let digit = hexDigit(body[place]) else { return nil }
      unit = unit << 4 | UInt32(digit)
    }
    return unit
  }

  private static func append(_ scalar: UInt32, to output: inout [UInt8]) {
    switch scalar {
    case ..<0x80:
      output.append(UInt8(scalar))
    case ..<0x800:
      output.append(0xC0 | UInt8(scalar >> 6))
      output.append(0x80 | UInt8(scalar & 0x3F))
    case ..<0x10000:
      output.append(0xE0 | UInt8(scalar >> 12))
      output.append(0x80 | UInt8(scalar >> 6 & 0x3F))
      output.append(0x80 | UInt8(scalar & 0x3F))
    default:
      output.append(0xF0 | UInt8(scalar >> 18))
      output.append(0x80 | UInt8(scalar >> 12 & 0x3F))
      output.append(0x80 | UInt8(scalar >> 6 & 0x3F))
      output.append(0x80 | UInt8(scalar & 0x3F))
    }
  }

  private static func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
