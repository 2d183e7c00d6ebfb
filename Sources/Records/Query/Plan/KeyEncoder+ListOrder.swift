extension KeyEncoder {
  /// A text as people sort lists: without case and diacritics, and with numbers by their value.
  mutating func append(listOrderOf text: String) {
    var content: [UInt8] = []
    var digits: [UInt8] = []
    for byte in TextMatch.Folding.localizedStandard.fold(text).utf8 {
      if byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") {
        digits.append(byte)
      } else {
        content.append(number: digits)
        digits.removeAll()
        content.append(byte)
      }
    }
    content.append(number: digits)
    bytes.append(Tag.value)
    content.withUnsafeBytes { appendEscaped($0) }
  }
}

extension [UInt8] {
  /// A number that is written in digits: sorts where digits do, by how many digits it has and then by these.
  fileprivate mutating func append(number digits: [UInt8]) {
    if digits.isEmpty { return }
    let significant = digits.drop { $0 == UInt8(ascii: "0") }
    append(UInt8(ascii: "0"))
    Swift.withUnsafeBytes(of: UInt32(truncatingIfNeeded: significant.count).bigEndian) { append(contentsOf: $0) }
    append(contentsOf: significant)
  }
}
