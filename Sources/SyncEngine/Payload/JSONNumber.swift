/// The grammar of numbers in JSON.
enum JSONNumber {
  /// `.integer` or `.real` for a number as JSON writes it, nil for anything else.
  @inline(__always)
  static func kind(of text: UnsafeBufferPointer<UInt8>) -> PayloadKind? {
    var index = 0
    func digits() -> Int {
      let start = index
      while index < text.count, text[index] &- UInt8(ascii: "0") < 10 { index += 1 }
      return index - start
    }

    if index < text.count, text[index] == UInt8(ascii: "-") { index += 1 }
    let first = index
    let integerDigits = digits()
    // No number has a leading zero.
    guard integerDigits == 1 || (integerDigits > 1 && text[first] != UInt8(ascii: "0")) else { return nil }
    if index == text.count { return .integer }

    if text[index] == UInt8(ascii: ".") {
      index += 1
      guard digits() > 0 else { return nil }
    }
    if index < text.count, text[index] | 0x20 == UInt8(ascii: "e") {
      index += 1
      if index < text.count, text[index] == UInt8(ascii: "+") || text[index] == UInt8(ascii: "-") { index += 1 }
      guard digits() > 0 else { return nil }
    }
    return index == text.count ? .real : nil
  }
}
