/// Stands where a model class would store a property that its backing stores. Takes no space.
///
/// It makes the compiler demand that an initialiser sets every property, as it would without the macro.
public struct PersistedSlot: Sendable {
  /// The one value.
  public init() {}
}
