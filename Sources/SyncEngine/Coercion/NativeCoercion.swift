import Records

/// Conversions of single native values by the rules of a sync, for code that has its payload as dictionaries.
package enum NativeCoercion {
  /// A converted value in its stored form, and whether all of the payload value went into it.
  package struct Result {
    package let field: FieldValue
    package let isWhole: Bool

    package init(field: FieldValue, isWhole: Bool) {
      self.field = field
      self.isWhole = isWhole
    }
  }

  /// The value as a type; nil when it is unreadable as that type. Null, and what has no place in a payload, is unreadable as
  /// everything.
  package static func convert(_ value: Any, to type: AttributeType) -> Result? {
    read(value) { convert($0, to: type) }
  }

  /// The value as an identity that somebody refers to: of the same kind as the identity, in any lossless form.
  /// A value as a type that can hold all of it; nil if it can't.
  package static func exact(_ value: Any, to type: AttributeType) -> FieldValue? {
    read(value) { Coercion.exact($0, to: type)?.fieldValue(as: type) }
  }

  package static func reference(_ value: Any, to type: AttributeType) -> FieldValue? {
    read(value) { node in Coercion.reference(node, to: type)?.fieldValue(as: type) }
  }

  /// The value as a report shows it: shortened.
  package static func reportText(of value: Any) -> String {
    read(value) { $0.reportText } ?? "\(Swift.type(of: value))"
  }

  /// A value of a payload as a type; nil when it is unreadable as that type.
  package static func convert(_ value: PayloadValue, to type: AttributeType) -> Result? {
    Coercion.convert(value, to: type).map { Result(field: $0.value.fieldValue(as: type), isWhole: $0.isWhole) }
  }

  private static func read<Result>(_ value: Any, _ body: (PayloadValue) -> Result?) -> Result? {
    guard let document = try? PayloadDocument(value) else { return nil }
    return document.read(body)
  }
}
