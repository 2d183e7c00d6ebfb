import CInterpose
import TestSupport

/// A call to the system at which a process kills itself.
struct KillPoint: Sendable {
  /// What is called, and the beginning of the names of the files.
  private static let places: [(calls: Int, prefix: String)] = [
    (interpose_write, "wal."), (interpose_sync, "wal."), (interpose_write, "checkpoint"),
    (interpose_sync, "checkpoint"), (interpose_write, "data.mdb"), (interpose_sync, "data.mdb"),
    (interpose_name, "*"), (interpose_sync, "*"), (interpose_write, "*"), (interpose_resize, "*"),
    (interpose_every_call, "*"),
  ]

  private var place: Int
  private var number: Int
  private var isBefore: Bool

  init(_ random: inout SplitMix64) {
    place = random.below(Self.places.count)
    number = random.below(random.chance(50) ? 8 : 150)
    isBefore = random.chance(50)
  }

  init?(word: String) {
    let parts = word.split(separator: ",").compactMap { Int($0) }
    guard parts.count == 3, Self.places.indices.contains(parts[0]) else { return nil }
    (place, number, isBefore) = (parts[0], parts[1], parts[2] == 1)
  }

  /// The point as a word of a command line.
  var word: String { "\(place),\(number),\(isBefore ? 1 : 0)" }

  func arm() {
    let (calls, prefix) = Self.places[place]
    let action = isBefore ? interpose_kill_before : interpose_kill_after
    interpose_set_fault(UInt32(calls), prefix, UInt64(number), false, Int32(action), 0)
  }
}
