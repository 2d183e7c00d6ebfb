import Foundation
import Records

// On Linux, Foundation's `SortDescriptor` compares texts in one way only; these add what it has elsewhere.

#if !canImport(Darwin)
/// A text that sorts as people sort lists: without regard to case and diacritics, numbers by their value. Texts that agree in
/// this sort as texts usually do.
///
/// The order is the same in every language and on every machine, so that a store can sort by it.
public struct LocalizedStandardText: Comparable, Sendable {
  /// The text.
  public let text: String
  private let key: [UInt8]

  /// Makes a text sort so.
  public init(_ text: String) {
    self.text = text
    key = TextOrder.localizedStandard.key(of: text)
  }

  /// Whether the left text comes before the right one.
  public static func < (left: LocalizedStandardText, right: LocalizedStandardText) -> Bool {
    left.key.lexicographicallyPrecedes(right.key)
  }

  /// Whether neither text comes before the other.
  public static func == (left: LocalizedStandardText, right: LocalizedStandardText) -> Bool {
    left.key == right.key
  }
}

extension String {
  /// The text as something that sorts as people sort lists.
  public var localizedStandardOrder: LocalizedStandardText { LocalizedStandardText(self) }
}

extension Optional<String> {
  /// The text, if there is one, as something that sorts as people sort lists.
  public var localizedStandardOrder: LocalizedStandardText? { map { LocalizedStandardText($0) } }
}

/// The ways to sort texts that Foundation's `String.StandardComparator` does not have here.
public enum LocalizedTextComparator: Sendable {
  /// As people sort lists: without regard to case and diacritics, numbers by their value.
  case localizedStandard
}

extension SortDescriptor {
  /// Sorts by a text as people sort lists.
  public init(
    _ keyPath: any KeyPath<Compared, String> & Sendable, comparator: LocalizedTextComparator,
    order: SortOrder = .forward
  ) {
    self.init(Self.sendable(keyPath.appending(path: \.localizedStandardOrder)), order: order)
  }

  /// Sorts by a text that may be missing as people sort lists; objects without one come first.
  public init(
    _ keyPath: any KeyPath<Compared, String?> & Sendable, comparator: LocalizedTextComparator,
    order: SortOrder = .forward
  ) {
    self.init(Self.sendable(keyPath.appending(path: \.localizedStandardOrder)), order: order)
  }

  /// A key path that was made of two that can be sent can be sent too, but `appending` does not say so. Whether a key path
  /// can be sent is known to the compiler only; at run time the types are one.
  private static func sendable<Value>(_ keyPath: KeyPath<Compared, Value>) -> any KeyPath<Compared, Value> & Sendable {
    unsafeBitCast(keyPath, to: (any KeyPath<Compared, Value> & Sendable).self)
  }
}
#endif
