import Synchronization

/// Turns the value that a payload has for an attribute into the one that is stored, and back for exports.
///
/// A model names transformers: in the user info of an attribute (`sync.valueTransformer`), or as the transformer of a transformable
/// attribute. What it makes is stored in place of the payload's value: no other conversion is tried first.
public protocol ValueTransformer: Sendable {
  /// The value to store for a value of a payload: text, a number, an array or a dictionary, as `JSONSerialization` makes them. It is
  /// not asked about null. Nil for what can't be transformed.
  func transformedValue(_ value: Any?) -> Any?

  /// The value to export for a stored one.
  func reverseTransformedValue(_ value: Any?) -> Any?
}

extension ValueTransformer {
  /// Nothing: there is no way back.
  public func reverseTransformedValue(_ value: Any?) -> Any? { nil }
}

/// The transformers that models name.
public enum ValueTransformers {
  private static let registered = Mutex<[String: any ValueTransformer]>([:])

  /// Makes a transformer known under a name, in place of the one that had the name before.
  public static func register(_ transformer: any ValueTransformer, forName name: String) {
    registered.withLock { $0[name] = transformer }
  }

  /// The transformer with a name; nil if there is none.
  public static func named(_ name: String) -> (any ValueTransformer)? {
    registered.withLock { $0[name] }
  }
}
