import Foundation
import SyncEngine
import Synchronization

/// Finding values by key.
extension SyncPayload {
  /// The forms in which a key is tried, in order.
  func candidates(for key: String) -> [String] {
    KeyCandidateCache.shared.candidates(for: key, in: keyStyle)
  }

  /// What stands under a key as it is written, null included. A dotted key that isn't there as it is leads into nested objects;
  /// where one of them is missing, null or no object, there is nothing.
  func raw(_ key: String) -> Any? {
    if let literal = values[key] { return PayloadConversion.plain(literal) }
    guard key.contains(".") else { return nil }
    var value: Any? = values
    for segment in key.split(separator: ".", omittingEmptySubsequences: false) {
      guard let object = value.map(PayloadConversion.plain) as? [String: Any] else { return nil }
      value = object[String(segment)]
    }
    return value.map(PayloadConversion.plain)
  }

  /// The keys that lead to what stands under a key: one, or those of the objects on the way.
  func steps(to key: String) -> [String] {
    values[key] == nil ? key.split(separator: ".", omittingEmptySubsequences: false).map(String.init) : [key]
  }

  /// The first of some keys under which there is something, in any of its forms.
  func firstPresent(of keys: [String]) -> (key: String, value: Any)? {
    for key in keys {
      for candidate in candidates(for: key) {
        if let value = raw(candidate) { return (candidate, value) }
      }
    }
    return nil
  }
}

/// The forms of the keys that the program asks for.
///
/// They are asked for once for each row. Keys come from code and not from payloads, so there are not many.
final class KeyCandidateCache: Sendable {
  static let shared = KeyCandidateCache()

  private struct Key: Hashable {
    let name: String
    let style: KeyStyle
  }

  private let known = Mutex<[Key: [String]]>([:])

  func candidates(for name: String, in style: KeyStyle) -> [String] {
    known.withLock { known in
      let key = Key(name: name, style: style)
      if let candidates = known[key] { return candidates }
      let candidates = KeyCandidates.candidates(for: name, in: style)
      known[key] = candidates
      return candidates
    }
  }
}
