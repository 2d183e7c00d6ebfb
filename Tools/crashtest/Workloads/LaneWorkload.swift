import KeyValueStore
import TestSupport

/// One thread that commits, with readers that stay for a while, commits that are given up, and the store closed and opened
/// again in between.
struct LaneWorkload {
  let changes: [Change]
  let commitCount: Int
  /// How many of a hundred commits don't wait for the medium.
  var relaxedPercent = 0
  /// Whether calls to the system fail now and then.
  var hasFaults = false

  func run(at path: String, _ setup: StoreSetup, _ random: inout SplitMix64) throws {
    var worker = try LaneWorker(at: path, setup)
    defer { worker.close() }
    var rest = commitCount
    let glancePercent = random.pick([0, 20, 60]) ?? 0
    while rest > 0 {
      let count = min(rest, 1 + random.below(20))
      rest -= count
      if hasFaults, random.chance(30) { Fault.random(&random).arm() }
      defer { Fault.disarm() }
      do {
        if random.chance(30) {
          try worker.read { try commit(count, by: &$0, glancePercent, &random) }
        } else {
          try commit(count, by: &worker, glancePercent, &random)
        }
        if random.chance(15) { try worker.reopen() }
      } catch let error as StoreError where hasFaults {
        // Mostly the store can go on, and then it may do so with the fault gone.
        Fault.disarm()
        if CommitLevel.isOutcomeUnknown(error) || random.chance(50) { try worker.recover() }
      }
    }
  }

  private func commit(_ count: Int, by worker: inout LaneWorker, _ glancePercent: Int, _ random: inout SplitMix64)
    throws
  {
    for _ in 0..<count {
      let change = random.pick(changes) ?? .small
      let seed = random.next()
      let givesUp = random.chance(8)
      do {
        try worker.lane.write(worker.store, random.chance(relaxedPercent) ? .relaxed : .durable) { transaction in
          try change.apply(to: transaction, seed: seed)
          if givesUp { throw GivenUp() }
        }
      } catch is GivenUp {}
      if random.chance(relaxedPercent / 10) { try worker.flush() }
      // For a reader LMDB has to commit what was acknowledged, also while a checkpoint is under way.
      if random.chance(glancePercent) { try worker.glance() }
    }
  }
}

/// Thrown by a body that gives up.
struct GivenUp: Error {}
