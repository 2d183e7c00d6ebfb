/// `["id": "a", "tags": ["x"], "done": true] as SyncJSON`. Null is `.null`, because nil stands for no value at all.
extension SyncJSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByStringLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral
{
  /// An object. Of several members with one key the last counts, as in a payload.
  public init(dictionaryLiteral elements: (String, SyncJSON)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { _, last in last }))
  }

  /// Values in order.
  public init(arrayLiteral elements: SyncJSON...) { self = .array(elements) }

  /// Text.
  public init(stringLiteral value: String) { self = .string(value) }

  /// A whole number.
  public init(integerLiteral value: Int) { self = .int(value) }

  /// A number with a fraction.
  public init(floatLiteral value: Double) { self = .double(value) }

  /// True or false.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}
