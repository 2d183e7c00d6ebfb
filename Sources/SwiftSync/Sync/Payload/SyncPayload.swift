import Foundation
import SyncEngine

/// One payload row as hand-written models read it: values by key, found and converted by the rules of a sync.
///
/// ```swift
/// static func make(from payload: SyncPayload) throws -> Track {
///   Track(id: try payload.required(for: "id"), title: try payload.required(for: "title"))
/// }
/// ```
///
/// A key is tried in several forms, the first one that is there and can be read counts: the form of the style, the key as it is
/// written, and for `id` and `remoteID` the other usual names of an identity. Dots lead into nested objects.
/// `docs/mapping-contract.md` has the whole of it.
public struct SyncPayload {
  /// The row as it was given.
  public let values: [String: Any]
  /// How its keys are written.
  public let keyStyle: KeyStyle
  /// Where the row stands in the sync that it is a part of; nil for a payload that the application has made.
  let place: PayloadPlace?

  /// A payload of its own.
  /// - Parameters:
  ///   - values: strings, numbers, booleans, `NSNull`, dictionaries and arrays of these, and native dates, UUIDs, URLs and data.
  ///   - keyStyle: how the keys are written.
  public init(values: [String: Any], keyStyle: KeyStyle = .snakeCase) {
    self.init(values: values, keyStyle: keyStyle, place: nil)
  }

  init(values: [String: Any], keyStyle: KeyStyle, place: PayloadPlace?) {
    self.values = values
    self.keyStyle = keyStyle
    self.place = place
  }

  /// Whether something stands under the key, null included.
  public func contains(_ key: String) -> Bool {
    candidates(for: key).contains { raw($0) != nil }
  }

  /// The value under a key, converted; nil if there is none that can be converted.
  ///
  /// A form of the key whose value cannot be converted is passed over, and so is null: only an optional type, and `NSNull`, can
  /// be made of that.
  public func value<T>(for key: String, as type: T.Type = T.self) -> T? {
    for candidate in candidates(for: key) {
      if let raw = raw(candidate), let value = PayloadConversion.value(of: raw, as: type) { return value }
    }
    return nil
  }

  /// The value under a key, converted, or what stands for it.
  ///
  /// Null is the default of a type that has one: `""`, `false`, `0`, 1970, the UUID of zeros, `[]`; a date that cannot be read is
  /// 1970 too. In a sync the report lists these, and the container's policy for unreadable values may refuse them.
  ///
  /// - Throws: `SyncError.invalidPayload` if the key is missing, or its value cannot be read and nothing stands for it.
  public func required<T>(_ type: T.Type = T.self, for key: String) throws -> T {
    if let value = value(for: key, as: type) { return value }
    let found = candidates(for: key).compactMap { candidate in raw(candidate).map { (key: candidate, value: $0) } }
    let null = found.first { $0.value is NSNull }
    if place?.pass.policy != .reject, let problem = null ?? found.first,
      let standIn = PayloadConversion.standIn(as: type, isNull: null != nil)
    {
      place?.noteReplaced(
        problem.value, at: steps(to: problem.key), cause: null == nil ? .unreadable : .nullForRequired,
        outcome: .setToDefault)
      return standIn
    }
    let keys = candidates(for: key).joined(separator: " or ")
    let what = found.isEmpty ? "is missing" : "is invalid: \(NativeCoercion.reportText(of: (null ?? found[0]).value))"
    throw SyncError.invalidPayload(model: "Payload", reason: "\(key) \(what) (looked for under \(keys))")
  }
}
