import SyncEngine

extension AttributeDescription {
  /// A value as one of a primary key of this type, as a sync would read it; nil where it can't be one without loss.
  func keyValue(_ value: Any) -> AttributeValue? {
    NativeCoercion.exact(value, to: type.storedType).flatMap { AttributeValue($0) }
  }
}
