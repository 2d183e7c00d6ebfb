/// The tables of one lane. A lane is a part of a store with a sequence of commits of its own, made by one thread.
///
/// Besides its content each lane has an entry that says which commit it was left by and what its content's hash is; so a
/// snapshot can be checked by anybody. A table of all lanes counts all commits, which shows whether the commits that are
/// there were made one after the other without a gap.
enum LaneTables {
  static let contentNames = ["a", "b", "c"]
  static let stateKey: [UInt8] = [0]
  /// The table of all lanes.
  static let order = "order"

  static func content(_ lane: Int) -> [String] { contentNames.map { "lane\(lane).\($0)" } }

  static func control(_ lane: Int) -> String { "lane\(lane).control" }

  /// The lane that a table belongs to, and whether it is the one with the lane's entry. What no lane has made is lane 0's.
  static func lane(of table: String) -> (number: Int, isControl: Bool) {
    let parts = table.split(separator: ".")
    guard parts.count == 2, parts[0].hasPrefix("lane"), let number = Int(parts[0].dropFirst(4)) else {
      return (0, false)
    }
    return (number, parts[1] == "control")
  }
}

/// A lane's entry about itself.
struct LaneEntry: Equatable, Sendable {
  var commit: Int
  var hash: UInt64

  init(commit: Int, hash: UInt64) {
    self.commit = commit
    self.hash = hash
  }

  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 16 else { return nil }
    commit = Int(UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self)))
    hash = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
  }

  var bytes: [UInt8] {
    withUnsafeBytes(of: (UInt64(commit).littleEndian, hash.littleEndian)) { Array($0) }
  }
}
