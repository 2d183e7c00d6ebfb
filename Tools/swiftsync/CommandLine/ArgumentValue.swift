/// A type that a word on the command line can be read as.
protocol ArgumentValue: Sendable {
  /// Reads the word; nil when it is none of the type's.
  init?(argument: String)

  /// What a word has to be, as in "expects …".
  static var expectation: String { get }

  /// All words of the type, if they are few.
  static var choices: [String] { get }
}

extension ArgumentValue {
  static var choices: [String] { [] }
}

extension String: ArgumentValue {
  init?(argument: String) {
    self = argument
  }

  static var expectation: String { "a word" }
}

extension ArgumentValue where Self: CaseIterable & RawRepresentable, RawValue == String {
  init?(argument: String) {
    self.init(rawValue: argument)
  }

  static var choices: [String] { allCases.map(\.rawValue) }

  static var expectation: String {
    let words = allCases.map(\.rawValue)
    return words.dropLast().joined(separator: ", ") + (words.count > 1 ? " or " : "") + (words.last ?? "")
  }
}

/// A number of rows, at least one.
struct RowLimit: ArgumentValue {
  let count: Int

  init?(argument: String) {
    guard let count = Int(argument), count > 0 else { return nil }
    self.count = count
  }

  static var expectation: String { "a number from 1" }
}

/// A number from zero.
struct NaturalNumber: ArgumentValue {
  let value: Int

  init?(argument: String) {
    guard let value = Int(argument), value >= 0 else { return nil }
    self.value = value
  }

  static var expectation: String { "a number from 0" }
}

/// Words with commas between them, none of them empty.
struct WordList: ArgumentValue {
  let words: [String]

  init?(argument: String) {
    words = argument.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    if words.contains("") { return nil }
  }

  static var expectation: String { "words with commas between them" }
}
