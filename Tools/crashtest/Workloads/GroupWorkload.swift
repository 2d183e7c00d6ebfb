import KeyValueStore
import TestSupport

/// Threads that commit at the same time, each to tables of its own.
struct GroupWorkload {
  let laneCount: Int
  let commitCount: Int

  func run(at path: String, _ setup: StoreSetup, _ random: inout SplitMix64) throws {
    let store = try OpenStore(at: path, lanes: Array(0..<laneCount), setup)
    defer { store.close() }
    let seed = random.next()
    let commitCount = commitCount
    try Threads.run(laneCount) { number in
      var random = SplitMix64(seed: seed &+ UInt64(number))
      var lane = Lane(number)
      for _ in 0..<commitCount {
        let change = random.pick(Change.quick) ?? .small
        let changeSeed = random.next()
        let givesUp = random.chance(8)
        do {
          try lane.write(store, random.chance(30) ? .relaxed : .durable) { transaction in
            try change.apply(to: transaction, seed: changeSeed)
            if givesUp { throw GivenUp() }
          }
        } catch is GivenUp {}
      }
    }
  }
}
