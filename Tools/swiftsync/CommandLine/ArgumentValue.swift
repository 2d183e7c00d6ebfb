/// A type that a word on the command line can be read as.
protocol ArgumentValue: Sendable {
  /// Reads the word; nil when it is none of the type's.
  init?(argument: String)

  /// What a word has to be, as in "expects …".
  static var expectation: String { get }
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
