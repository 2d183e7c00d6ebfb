/// Places of values in exported objects.
package enum ExportPath {
  /// Sets a value under a key, whose dots lead into nested objects: `state.id` and `state.label` share one object `state`.
  ///
  /// The last value for a place wins; an object takes the place of a value that is in its way, and the reverse. Empty
  /// segments count for nothing, and a key of nothing else sets nothing.
  package static func set(_ value: Any, at key: String, in object: inout [String: Any]) {
    set(value, at: key.split(separator: ".")[...], in: &object)
  }

  private static func set(_ value: Any, at segments: ArraySlice<Substring>, in object: inout [String: Any]) {
    guard let first = segments.first.map(String.init) else { return }
    if segments.count == 1 {
      object[first] = value
      return
    }
    var nested = object[first] as? [String: Any] ?? [:]
    set(value, at: segments.dropFirst(), in: &nested)
    object[first] = nested
  }
}
