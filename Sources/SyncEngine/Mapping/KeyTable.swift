/// The payload keys that a mapping plan looks for, each with a number.
struct KeyTable: Sendable {
  /// The number of a key in its table.
  typealias Ordinal = Int

  private(set) var keys: [[UInt8]] = []
  /// Those of the candidates that may lead into nested objects.
  fileprivate(set) var dotted: [KeyCandidate] = []
  /// The numbers of the keys of each length: a handful at most.
  private var byLength: [[Ordinal]] = []

  var count: Int { keys.count }

  /// The number of a key, which is added if it is new.
  mutating func intern(_ key: String) -> Ordinal {
    let bytes = Array(key.utf8)
    if let known = bytes.withUnsafeBufferPointer({ ordinal(of: $0) }) { return known }
    while byLength.count <= bytes.count { byLength.append([]) }
    byLength[bytes.count].append(keys.count)
    keys.append(bytes)
    return keys.count - 1
  }

  /// The number of a key, nil if the plan doesn't look for it.
  func ordinal(of key: UnsafeBufferPointer<UInt8>) -> Ordinal? {
    guard key.count < byLength.count else { return nil }
    return byLength[key.count].first { keys[$0].withUnsafeBufferPointer { $0.isEqual(to: key) } }
  }
}

/// One key to try: as it is, or, if it has dots, as a path into nested objects.
final class KeyCandidate: Sendable {
  /// The key as it is written, for reports.
  let name: String
  let literal: KeyTable.Ordinal
  /// The first segment of a dotted key and the segments behind it.
  let path: (head: KeyTable.Ordinal, rest: [[UInt8]])?

  init(_ name: String, in table: inout KeyTable) {
    self.name = name
    literal = table.intern(name)
    let segments = name.split(separator: ".", omittingEmptySubsequences: false)
    path =
      segments.count > 1
      ? (head: table.intern(String(segments[0])), rest: segments.dropFirst().map { Array($0.utf8) }) : nil
    if path != nil { table.dotted.append(self) }
  }
}
