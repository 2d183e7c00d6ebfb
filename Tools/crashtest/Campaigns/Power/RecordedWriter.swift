import CInterpose
import Glibc
import TestSupport

/// A process that writes until it is killed, and leaves the recording of what it has written.
struct RecordedWriter: Sendable {
  /// What it says when it has written something and waits for its input to end, before it goes on to its death.
  static let readyLine = "ready"
  private static let laneCount = 2
  private static let commitsBefore = 6
  private static let commitsMax = 60

  let path: String
  let seed: UInt64
  let point: KillPoint

  /// Where the recording of a store is kept.
  static func recording(of path: String) -> (events: String, data: String) { ("\(path)-events", "\(path)-data") }

  func run() throws {
    let files = Self.recording(of: path)
    // For as long as the process lives.
    interpose_keep_recording(strdup(files.events), strdup(files.data))
    interpose_watch(path)
    interpose_start_recording()
    var random = SplitMix64(seed: seed)
    let store = try OpenStore(at: path, lanes: Array(0..<Self.laneCount), .withManyCheckpoints(&random))
    var lanes = (0..<Self.laneCount).map { Lane($0) }
    for index in lanes.indices { try commit(Self.commitsBefore, to: store, &lanes[index], &random) }
    Output.line(Self.readyLine)
    var byte: UInt8 = 0
    while read(STDIN_FILENO, &byte, 1) < 0, errno == EINTR {}
    point.arm()
    try Threads.run(Self.laneCount) { [lanes] number in
      var lane = lanes[number]
      var random = SplitMix64(seed: seed &+ UInt64(number))
      try commit(Self.commitsMax, to: store, &lane, &random)
    }
    store.close()
  }

  private func commit(
    _ count: Int, to store: OpenStore, _ lane: inout Lane, _ random: inout SplitMix64
  ) throws {
    for _ in 0..<count {
      let change = random.pick(Change.quick) ?? .small
      let seed = random.next()
      try lane.write(store, random.chance(50) ? .durable : .relaxed) { try change.apply(to: $0, seed: seed) }
    }
  }
}
