import Foundation

/// The regular expression that a text as a whole has to match, in the grammar of ICU, which Core Data's models are written in.
struct TextPattern: Sendable {
  private let expression: NSRegularExpression

  /// Nil if the text is no regular expression.
  init?(_ pattern: String) {
    // By itself first, so that a parenthesis too many does not close the one around it.
    guard (try? NSRegularExpression(pattern: pattern)) != nil,
      let expression = try? NSRegularExpression(pattern: "\\A(?:\(pattern))\\z")
    else { return nil }
    self.expression = expression
  }

  func matches(_ text: String) -> Bool {
    expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
  }
}
