/// A value that can stand for a payload row.
public protocol SyncPayloadConvertible: Sendable {
  /// The row as a JSON object: strings, numbers, booleans, arrays, dictionaries and `NSNull`.
  func toSyncPayloadDictionary() -> [String: Any]
}
