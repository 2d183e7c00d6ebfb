import Records

/// What the engine can't know about an attribute by itself: whether its type has the value that a payload brings. An
/// enum has some texts only, a `Codable` type some JSON only.
package struct AttributeReader: Sendable {
  private enum Source: Sendable {
    case converted(@Sendable (FieldValue) -> FieldValue?)
    case raw(@Sendable (PayloadValue) -> NativeCoercion.Result?)
  }

  private let source: Source
  /// What null becomes where the attribute isn't optional: an empty array. Nil when there is no such value.
  package let emptyValue: FieldValue?

  /// A reader of values that were converted to the attribute's stored type.
  ///
  /// - Parameters:
  ///   - emptyValue: What null becomes where the attribute isn't optional.
  ///   - storedForm: The stored form of a converted value, nil when the attribute's type has no such value.
  package init(emptyValue: FieldValue? = nil, storedForm: @escaping @Sendable (FieldValue) -> FieldValue?) {
    source = .converted(storedForm)
    self.emptyValue = emptyValue
  }

  private init(_ source: Source) {
    self.source = source
    emptyValue = nil
  }

  /// A reader that converts the values of the payload by itself: the closure gives the stored form of a value, nil when it is
  /// unreadable. It isn't asked about null.
  package static func converting(
    _ convert: @escaping @Sendable (PayloadValue) -> NativeCoercion.Result?
  ) -> AttributeReader {
    AttributeReader(.raw(convert))
  }

  /// The stored form of a payload value; nil when it is unreadable.
  func read(_ value: PayloadValue, as type: AttributeType) -> NativeCoercion.Result? {
    switch source {
    case .raw(let convert): return convert(value)
    case .converted(let storedForm):
      guard let result = Coercion.convert(value, to: type), let form = storedForm(result.value.fieldValue(as: type))
      else { return nil }
      return NativeCoercion.Result(field: form, isWhole: result.isWhole)
    }
  }

  /// The stored form of a value of the attribute's stored type; nil when the attribute's type has no such value.
  package func storedForm(_ value: FieldValue) -> FieldValue? {
    switch source {
    case .raw: value
    case .converted(let storedForm): storedForm(value)
    }
  }
}
