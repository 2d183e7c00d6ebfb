/// Text that may come from anywhere and goes to a terminal.
enum TerminalText {
  /// The text without line breaks and without the characters that a terminal takes for commands or that turn the direction of
  /// writing around: they become escapes as in a Swift literal.
  static func escaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069:
        result.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
      default:
        result.append(scalar)
      }
    }
    return String(result)
  }
}
