import KeyValueStore
import TestSupport

/// A process that writes until it is killed, and says what it has been promised.
struct WritingChild {
  private static let laneCount = 3
  private static let commitsMax = 120

  let path: String
  let seed: UInt64

  func run() throws {
    let store = try OpenStore(at: path, lanes: Array(0..<Self.laneCount))
    let state = try StoreState.read(store.environment)
    state.markRecovered()
    let seed = seed
    try Threads.run(Self.laneCount) { number in
      var random = SplitMix64(seed: seed &+ UInt64(number))
      var lane = Lane(number, state)
      for _ in 0..<Self.commitsMax {
        let change = random.pick(Change.quick) ?? .small
        let changeSeed = random.next()
        try lane.write(store, random.chance(50) ? .durable : .relaxed) { try change.apply(to: $0, seed: changeSeed) }
        if random.chance(3) { _ = try StoreState.read(store.environment) }
      }
    }
    store.close()
  }
}
