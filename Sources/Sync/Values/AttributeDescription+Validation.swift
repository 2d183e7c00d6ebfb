import Records

extension AttributeDescription {
  /// Checks that an object may be saved with a value: that it has one where it must, within the bounds, of the right form.
  ///
  /// - Throws: The first `ValidationError`.
  func validate(_ value: FieldValue, of entity: String) throws(ValidationError) {
    if case .null = value, !isOptional { throw .missingValue(entity: entity, attribute: name) }
    try ValueBounds(self)?.check(value, of: entity)
  }
}

/// What the model says about the values of an attribute beside their type: the least, the greatest, and the form of texts.
struct ValueBounds: Sendable {
  private let attribute: AttributeDescription
  private let minimum: FieldValue?
  private let maximum: FieldValue?
  private let pattern: TextPattern?

  /// Nil for an attribute whose values have none.
  init?(_ attribute: AttributeDescription) {
    // Texts are bounded by the number of their characters.
    let type = attribute.type == .string ? .integer32 : attribute.type
    minimum = attribute.minimum?.fieldValue(as: type)
    maximum = attribute.maximum?.fieldValue(as: type)
    // The model was not made if this is no regular expression.
    pattern = attribute.regularExpression.flatMap { TextPattern($0) }
    self.attribute = attribute
    if minimum == nil, maximum == nil, pattern == nil { return nil }
  }

  /// Whether a value may be stored. Null may.
  func allow(_ value: FieldValue) -> Bool {
    // Who only wants to know does not need the names.
    (try? check(value, of: "")) != nil
  }

  /// - Throws: The first `ValidationError`.
  func check(_ value: FieldValue, of entity: String) throws(ValidationError) {
    var measured = value
    if case .null = value { return }
    if case .string(let text) = value {
      measured = .int(Int64(text.count))
      if let pattern, !pattern.matches(text) {
        throw .patternMismatch(
          entity: entity, attribute: attribute.name, value: value.shortText,
          pattern: attribute.regularExpression ?? "")
      }
    }
    if let minimum, measured.matches(.less, minimum) {
      throw .tooSmall(
        entity: entity, attribute: attribute.name, value: value.shortText, minimum: attribute.minimum?.text ?? "")
    }
    if let maximum, measured.matches(.greater, maximum) {
      throw .tooLarge(
        entity: entity, attribute: attribute.name, value: value.shortText, maximum: attribute.maximum?.text ?? "")
    }
  }
}

extension FieldValue {
  /// The value as messages show it: not all of a long one.
  var shortText: String { text.count > 80 ? text.prefix(80) + "…" : text }
}
