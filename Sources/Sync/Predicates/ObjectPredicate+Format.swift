extension ObjectPredicate {
  /// Reads a predicate from a text in the format that docs/predicate-format.md describes.
  ///
  /// ```swift
  /// try ObjectPredicate(format: "createdAt > %@ AND name BEGINSWITH[cd] %@", yesterday, "A")
  /// ```
  ///
  /// - Parameters:
  ///   - format: the text.
  ///   - arguments: what stands for `%@`, `%K`, `%d` and so on, in this order: texts, numbers, dates and other values that
  ///     attributes have, objects, arrays and sets of these, and nil.
  /// - Throws: `PredicateFormatError`, which says where in the text something is wrong.
  public init(format: String, _ arguments: Any?...) throws {
    try self.init(format: format, argumentArray: arguments)
  }

  /// Reads a predicate from a text, with its arguments in an array.
  ///
  /// - Throws: `PredicateFormatError`, which says where in the text something is wrong.
  public init(format: String, argumentArray arguments: [Any?]) throws(PredicateFormatError) {
    var parser = try FormatParser(format, arguments)
    self = try parser.predicate()
  }
}
