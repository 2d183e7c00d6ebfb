import Foundation

/// Cuts the text of a predicate into words and signs.
struct FormatLexer {
  private let scalars: [Unicode.Scalar]
  private var index = 0

  /// The words and signs of a text; the last one says that it ends.
  static func tokens(of text: String) throws(PredicateFormatError) -> [FormatToken] {
    var lexer = FormatLexer(scalars: Array(text.unicodeScalars))
    var tokens: [FormatToken] = []
    while let token = try lexer.next() { tokens.append(token) }
    tokens.append(FormatToken(kind: .end, offset: lexer.scalars.count))
    return tokens
  }

  private init(scalars: [Unicode.Scalar]) {
    self.scalars = scalars
  }

  private func peek(_ distance: Int = 0) -> Unicode.Scalar? {
    index + distance < scalars.count ? scalars[index + distance] : nil
  }

  private mutating func next() throws(PredicateFormatError) -> FormatToken? {
    while let scalar = peek(), scalar.properties.isWhitespace { index += 1 }
    guard let scalar = peek() else { return nil }
    let offset = index
    var spelling = ""
    let kind: FormatToken.Kind
    switch scalar {
    case "\"", "'": kind = .string(try quoted(by: scalar))
    case "%": kind = .placeholder(try specifier())
    case "$": kind = .variable(try name(behind: "$"))
    case "#": kind = .identifier(try name(behind: "#"))
    case _ where scalar.isDigit || (scalar == "." && peek(1)?.isDigit == true && !followsName): kind = try number()
    case _ where scalar.beginsName:
      spelling = name()
      kind = FormatKeyword(rawValue: spelling.uppercased()).map { .keyword($0) } ?? .identifier(spelling)
    default: kind = .sign(try sign())
    }
    return FormatToken(kind: kind, offset: offset, spelling: spelling)
  }

  /// Whether a point would stand behind a name, and lead on from it.
  private var followsName: Bool {
    index > 0 && (scalars[index - 1].continuesName || scalars[index - 1] == ")")
  }

  private mutating func name() -> String {
    let start = index
    while let scalar = peek(), scalar.continuesName { index += 1 }
    return String(String.UnicodeScalarView(scalars[start..<index]))
  }

  private mutating func name(behind mark: String) throws(PredicateFormatError) -> String {
    let offset = index
    index += 1
    guard peek()?.beginsName == true else {
      throw .unexpected(position: position(offset), found: mark, expected: "a name behind \(mark)")
    }
    return name()
  }

  private mutating func quoted(by quote: Unicode.Scalar) throws(PredicateFormatError) -> String {
    let offset = index
    index += 1
    var text = String.UnicodeScalarView()
    while let scalar = peek() {
      index += 1
      if scalar == quote { return String(text) }
      text.append(scalar == "\\" ? try escaped(from: offset) : scalar)
    }
    throw .unterminatedText(position: position(offset))
  }

  private mutating func escaped(from offset: Int) throws(PredicateFormatError) -> Unicode.Scalar {
    guard let scalar = peek() else { throw .unterminatedText(position: position(offset)) }
    index += 1
    switch scalar {
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "u":
      let digits = String(String.UnicodeScalarView(scalars[index..<min(index + 4, scalars.count)]))
      guard digits.count == 4, let code = UInt32(digits, radix: 16), let result = Unicode.Scalar(code) else {
        throw .unexpected(position: position(index), found: digits, expected: "four digits behind \\u")
      }
      index += 4
      return result
    default: return scalar
    }
  }

  private mutating func number() throws(PredicateFormatError) -> FormatToken.Kind {
    let offset = index
    var isWhole = true
    while peek()?.isDigit == true { index += 1 }
    if peek() == ".", peek(1)?.isDigit == true {
      isWhole = false
      index += 1
      while peek()?.isDigit == true { index += 1 }
    }
    if peek() == "e" || peek() == "E" {
      let isSigned = peek(1) == "+" || peek(1) == "-"
      if peek(isSigned ? 2 : 1)?.isDigit == true {
        isWhole = false
        index += isSigned ? 2 : 1
        while peek()?.isDigit == true { index += 1 }
      }
    }
    let text = String(String.UnicodeScalarView(scalars[offset..<index]))
    if let scalar = peek(), scalar.beginsName {
      throw .unexpected(position: position(index), found: String(scalar), expected: "the end of the number \(text)")
    }
    if isWhole, let integer = Int64(text) { return .number(.integer(integer)) }
    // A whole number of more digits keeps them as a decimal, as far as that has room.
    if isWhole, text.count <= 38, let decimal = Decimal(string: text) { return .number(.decimal(decimal)) }
    guard let double = Double(text), double.isFinite else {
      throw .unexpected(position: position(offset), found: text, expected: "a number that is not as large")
    }
    return .number(.double(double))
  }

  private mutating func specifier() throws(PredicateFormatError) -> String {
    let known = ["@", "K", "d", "i", "u", "f", "g", "lf", "ld", "li", "lu", "lld", "lli", "llu", "zd", "zu"]
    let offset = index
    let rest = String(String.UnicodeScalarView(scalars[(index + 1)..<min(index + 4, scalars.count)]))
    guard let specifier = known.filter({ rest.hasPrefix($0) }).max(by: { $0.count < $1.count }) else {
      throw .unexpected(
        position: position(offset), found: "%\(rest.prefix(1))", expected: "one of %@, %K, %d, %ld, %lu and %f")
    }
    index += 1 + specifier.unicodeScalars.count
    return specifier
  }

  private mutating func sign() throws(PredicateFormatError) -> String {
    switch (peek(), peek(1)) {
    case ("="?, "="?), ("!"?, "="?), ("<"?, ">"?), ("<"?, "="?), ("="?, "<"?), (">"?, "="?), ("="?, ">"?), ("&"?, "&"?),
      ("|"?, "|"?):
      index += 2
      return String(String.UnicodeScalarView(scalars[index - 2..<index]))
    default: break
    }
    guard let scalar = peek(), "=<>!()[]{},.@+-*/".unicodeScalars.contains(scalar) else {
      let found = peek().map { String($0) } ?? ""
      throw .unexpected(position: position(index), found: found, expected: "a name, a value or an operator")
    }
    index += 1
    return String(scalar)
  }

  private func position(_ offset: Int) -> Int {
    String(String.UnicodeScalarView(scalars[..<offset])).count
  }
}

extension Unicode.Scalar {
  fileprivate var isDigit: Bool { self >= "0" && self <= "9" }
  fileprivate var beginsName: Bool { self == "_" || properties.isAlphabetic }
  fileprivate var continuesName: Bool { beginsName || isDigit || properties.generalCategory == .nonspacingMark }
}
