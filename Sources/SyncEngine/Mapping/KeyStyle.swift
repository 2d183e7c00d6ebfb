/// How a backend writes the keys of its payloads.
public enum KeyStyle: Sendable, Hashable {
  /// `project_id`
  case snakeCase
  /// `projectId`
  case camelCase

  /// The form of a property name in this style: `project_id` for `projectID` in snake case; in camel case the name as it
  /// is.
  public func transform(_ value: String) -> String {
    switch self {
    case .snakeCase: SnakeCase.form(of: value)
    case .camelCase: value
    }
  }

  /// The key that a property is exported under. Unlike `transform` it writes `projectId` for `projectID` in camel case,
  /// which is also the first key that an import looks for.
  package func exportKey(for name: String) -> String {
    switch self {
    case .snakeCase: SnakeCase.form(of: name)
    case .camelCase: CamelCase.form(of: name)
    }
  }
}

/// `projectID` as `project_id`.
enum SnakeCase {
  /// How a run of capitals with a plural s, as in `userIDs`, is split.
  enum Plural {
    /// As one word: `user_ids`.
    case kept
    /// As a letter-by-letter rule has it: `user_i_ds`.
    case split
  }

  private enum Kind {
    case upper, lower, digit, other
  }

  /// A word begins at a capital behind a small letter or digit, and at the last capital of a run that is followed by a
  /// small letter. No other place gets an underscore.
  static func form(of name: String, plural: Plural = .kept) -> String {
    let scalars = Array(name.unicodeScalars)
    var form = String.UnicodeScalarView()
    for (index, scalar) in scalars.enumerated() {
      let beginsWord = index > 0 && kind(of: scalar) == .upper && beginsWord(at: index, in: scalars, plural: plural)
      if beginsWord, form.last != "_" { form.append("_") }
      form.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
    }
    return String(form)
  }

  private static func beginsWord(at index: Int, in scalars: [Unicode.Scalar], plural: Plural) -> Bool {
    switch kind(of: scalars[index - 1]) {
    case .lower, .digit: return true
    case .other: return false
    case .upper:
      guard index + 1 < scalars.count, kind(of: scalars[index + 1]) == .lower else { return false }
      let isPlural =
        scalars[index + 1] == "s" && (index + 2 == scalars.count || kind(of: scalars[index + 2]) != .lower)
      return !(isPlural && plural == .kept)
    }
  }

  private static func kind(of scalar: Unicode.Scalar) -> Kind {
    if scalar.properties.isUppercase { return .upper }
    if scalar.properties.isLowercase { return .lower }
    return scalar.properties.generalCategory == .decimalNumber ? .digit : .other
  }
}

/// `projectID` and `project_id` as `projectId`.
enum CamelCase {
  /// Each segment of a dotted name for itself: its snake-case words joined, all but the first with a capital.
  static func form(of name: String, plural: SnakeCase.Plural = .kept) -> String {
    name.split(separator: ".", omittingEmptySubsequences: false)
      .map { segment(String($0), plural: plural) }
      .joined(separator: ".")
  }

  private static func segment(_ name: String, plural: SnakeCase.Plural) -> String {
    let snake = SnakeCase.form(of: name, plural: plural)
    let words = snake.split(separator: "_")
    guard snake.contains("_"), let first = words.first else { return snake }
    return words.dropFirst().reduce(into: first.lowercased()) { form, word in
      form += word.prefix(1).uppercased() + word.dropFirst().lowercased()
    }
  }
}
