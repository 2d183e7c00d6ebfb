/// Walks over the bytes of an XML file, and knows the line and the column.
struct XMLScanner {
  private let bytes: [UInt8]
  private let path: String
  private var index = 0
  private(set) var line = 1
  private var lineStart = 0

  init(_ bytes: [UInt8], path: String) {
    self.bytes = bytes
    self.path = path
    // A byte-order mark belongs to no column.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      index = 3
      lineStart = 3
    }
  }

  /// The column of the next byte, counted in bytes from 1.
  var column: Int { index - lineStart + 1 }

  /// The next byte; nil at the end.
  var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

  func error(_ reason: String) -> ModelFileError {
    .notXML(path: path, line: line, column: column, reason: reason)
  }

  mutating func advance() {
    if bytes[index] == UInt8(ascii: "\n") {
      line += 1
      lineStart = index + 1
    }
    index += 1
  }

  func starts(with text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard index + count <= bytes.count else { return false }
    return text.withUTF8Buffer { $0.elementsEqual(bytes[index..<index + count]) }
  }

  /// Whether a text is next, which is then behind. It has no line breaks.
  mutating func take(_ text: StaticString) -> Bool {
    guard starts(with: text) else { return false }
    index += text.utf8CodeUnitCount
    return true
  }

  /// Whether there were spaces, which are then behind.
  @discardableResult
  mutating func skipSpaces() -> Bool {
    let start = index
    while let byte = peek, byte.isXMLSpace { advance() }
    return index > start
  }

  mutating func skip(behind end: StaticString, of thing: String) throws(ModelFileError) {
    while !take(end) {
      if peek == nil { throw error("a \(thing) does not end") }
      advance()
    }
  }

  mutating func name() throws(ModelFileError) -> String {
    let start = index
    while let byte = peek, byte.isXMLName { index += 1 }
    if index == start { throw error("a name is missing") }
    return try text(bytes[start..<index])
  }

  /// A value in quotation marks, with its references to characters resolved.
  mutating func quotedValue(of attribute: String) throws(ModelFileError) -> String {
    guard let quote = peek, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      throw error("the value of \(attribute) has no quotation marks")
    }
    index += 1
    var value: [UInt8] = []
    while let byte = peek, byte != quote {
      switch byte {
      case UInt8(ascii: "<"): throw error("the value of \(attribute) does not end")
      case UInt8(ascii: "&"): value += try reference()
      default:
        // A line break in a value counts as a space.
        value.append(byte.isXMLSpace ? UInt8(ascii: " ") : byte)
        advance()
      }
    }
    if peek == nil { throw error("the value of \(attribute) does not end") }
    index += 1
    return try text(value[...])
  }

  private mutating func reference() throws(ModelFileError) -> [UInt8] {
    let known: [(StaticString, UInt8)] = [
      ("&amp;", UInt8(ascii: "&")), ("&lt;", UInt8(ascii: "<")), ("&gt;", UInt8(ascii: ">")),
      ("&quot;", UInt8(ascii: "\"")), ("&apos;", UInt8(ascii: "'")),
    ]
    for (name, byte) in known where take(name) { return [byte] }
    guard take("&#") else { throw error("a reference is none to a character") }
    let radix: UInt32 = take("x") ? 16 : 10
    var code: UInt32 = 0
    var isAnyDigit = false
    while let digit = peek.flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }), digit < radix {
      code = code * radix + UInt32(digit)
      if code > 0x10FFFF { break }
      isAnyDigit = true
      index += 1
    }
    guard isAnyDigit, let scalar = Unicode.Scalar(code), take(";") else {
      throw error("a reference is none to a character")
    }
    return Array(String(scalar).utf8)
  }

  private func text(_ bytes: ArraySlice<UInt8>) throws(ModelFileError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw error("the text is not UTF-8") }
    return text
  }
}

extension UInt8 {
  var isXMLSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }

  /// Whether the byte may be part of a name. Which characters of other scripts may be is not looked at.
  fileprivate var isXMLName: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...: true
    default:
      self == UInt8(ascii: "_") || self == UInt8(ascii: "-") || self == UInt8(ascii: ".") || self == UInt8(ascii: ":")
    }
  }
}
