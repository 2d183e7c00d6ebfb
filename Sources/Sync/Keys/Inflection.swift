import SyncEngine

/// How names in a model and keys in JSON are made of each other.
///
/// Reading doesn't turn one into the other: it compares their canonical forms, in which `user_ids`, `userIDs` and `userIds` are
/// the same. Only writing has to choose a form.
package enum Inflection {
  /// The words that are written in capitals in names.
  static let acronyms: Set<String> = ["uuid", "id", "pdf", "url", "png", "jpg", "uri", "json", "xml"]

  /// The words that no property of a managed object could be called; in the model the entity's name stands in front of them.
  static let reservedWords = ["type", "description", "signed"]

  /// What remains of a name or key when differences between styles don't count: small letters, without separators.
  package static func canonical(_ name: String) -> String {
    name.lowercased().filter { !isSeparator($0) }
  }

  /// A name in the style of JSON: `user_id` for `userID`.
  package static func snakeCase(_ name: String) -> String { KeyStyle.snakeCase.transform(name) }

  /// A key in the style of a model: `userID` for `user_id`. Nil for a key that has other characters than letters, digits and
  /// separators in it, or none of these.
  package static func camelCase(_ key: String) -> String? {
    guard key.allSatisfy({ $0.isLetter || $0.isNumber || isSeparator($0) }) else { return nil }
    let words = key.split(whereSeparator: isSeparator).map(String.init)
    guard let first = words.first else { return nil }
    if !key.contains("_") { return startingSmall(key) }
    return startingSmall(first) + words.dropFirst().map(capitalized).joined()
  }

  private static func startingSmall(_ word: String) -> String {
    acronyms.contains(word.lowercased()) ? word.lowercased() : word.prefix(1).lowercased() + word.dropFirst()
  }

  private static func capitalized(_ word: String) -> String {
    let small = word.lowercased()
    if acronyms.contains(small) { return small.uppercased() }
    if small.hasSuffix("s"), acronyms.contains(String(small.dropLast())) { return small.dropLast().uppercased() + "s" }
    return word.prefix(1).uppercased() + word.dropFirst()
  }

  private static func isSeparator(_ character: Character) -> Bool {
    character == "_" || character == "-" || character == " "
  }
}
