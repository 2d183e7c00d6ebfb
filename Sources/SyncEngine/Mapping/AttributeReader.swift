import Records

/// What the engine can't know about an attribute by itself: whether its Swift type has the value that a payload brings. An
/// enum has some texts only, a `Codable` type some JSON only.
package struct AttributeReader: Sendable {
  /// The stored form of a converted value, nil when the attribute's type has no such value.
  package var storedForm: @Sendable (FieldValue) -> FieldValue?
  /// What null becomes where the attribute isn't optional: an empty array. Nil when there is no such value.
  package var emptyValue: FieldValue?

  package init(emptyValue: FieldValue? = nil, storedForm: @escaping @Sendable (FieldValue) -> FieldValue?) {
    self.storedForm = storedForm
    self.emptyValue = emptyValue
  }
}
