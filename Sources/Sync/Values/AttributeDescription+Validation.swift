import Records

extension AttributeDescription {
  /// Checks that an object may be saved with a value: that it has one where it must, within the bounds, of the right form.
  ///
  /// - Throws: The first `ValidationError`.
  func validate(_ value: FieldValue, of entity: String) throws(ValidationError) {
    if case .null = value {
      if isOptional { return }
      throw .missingValue(entity: entity, attribute: name)
    }
    let measured: FieldValue
    if type == .string, case .string(let text) = value {
      measured = .int(Int64(text.count))
      try validatePattern(text, of: entity)
    } else {
      measured = value
    }
    if let bound = bound(minimum), measured.matches(.less, bound) {
      throw .tooSmall(
        entity: entity, attribute: name, value: value.shortText, minimum: minimum?.text ?? "")
    }
    if let bound = bound(maximum), measured.matches(.greater, bound) {
      throw .tooLarge(entity: entity, attribute: name, value: value.shortText, maximum: maximum?.text ?? "")
    }
  }

  /// Texts are bounded by the number of their characters.
  private func bound(_ value: AttributeValue?) -> FieldValue? {
    value?.fieldValue(as: type == .string ? .integer32 : type)
  }

  private func validatePattern(_ text: String, of entity: String) throws(ValidationError) {
    // The model was not made if this is no regular expression.
    guard let regularExpression, let pattern = try? Regex(regularExpression) else { return }
    if (try? pattern.wholeMatch(in: text)) == nil {
      throw .patternMismatch(
        entity: entity, attribute: name, value: FieldValue.string(text).shortText, pattern: regularExpression)
    }
  }
}

extension FieldValue {
  /// The value as messages show it: not all of a long one.
  var shortText: String { text.count > 80 ? text.prefix(80) + "…" : text }
}
