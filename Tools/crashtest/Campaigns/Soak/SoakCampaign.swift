import KeyValueStore
import Synchronization
import TestSupport

/// A mixed load on one store for a long time. After each second or so everything is read and compared, and what the store
/// takes of disk, memory and places for readers must stay within bounds.
///
/// A case is one second of load; they all work on the same store.
final class SoakCampaign: Campaign {
  private static let laneCount = 3
  private static let readerCount = 2
  private static let loadDuration = Duration.seconds(1)
  /// The store is closed and opened again after so many cases.
  private static let casesBetweenOpenings = 20

  private let options: CampaignOptions
  private let lanes = Lanes(laneCount)
  private var store: OpenStore?
  private var bounds = SoakBounds()

  init(options: CampaignOptions) {
    self.options = options
  }

  func run(case number: Int, _ report: WorkerReport, scratch: Scratch) throws -> Bool {
    let path = scratch.path("store")
    do {
      if number % Self.casesBetweenOpenings == 0 { store?.close() }
      if number % Self.casesBetweenOpenings == 0 || store == nil {
        store = try OpenStore(at: path, lanes: Array(0..<Self.laneCount))
      }
      guard let store else { return false }
      let commits = try load(store, seed: options.seed(ofCase: number))
      report.counted("commits", commits)
      try check(store)
      let usage = try SoakUsage(store.environment, folder: path)
      try bounds.note(usage)
      report.passed()
    } catch let finding as Finding {
      report.failed("case \(number): \(finding)", keeping: nil)
    } catch let error as StoreError {
      report.failed("case \(number): \(error)", keeping: nil)
    }
    return true
  }

  /// Writes and reads on several threads; how many commits were made.
  private func load(_ store: OpenStore, seed: UInt64) throws -> Int {
    let end = ContinuousClock.now + Self.loadDuration
    let commits = Counter()
    let lanes = lanes
    try Threads.run(Self.laneCount + Self.readerCount) { number in
      var random = SplitMix64(seed: seed &+ UInt64(number))
      if number >= Self.laneCount {
        while ContinuousClock.now < end { _ = try StoreState.read(store.environment) }
        return
      }
      var lane = lanes[number]
      defer { lanes[number] = lane }
      while ContinuousClock.now < end {
        let change = random.chance(1) ? Change.big : random.pick(Change.quick) ?? .small
        let changeSeed = random.next()
        try lane.write(store, random.chance(70) ? .relaxed : .durable) { try change.apply(to: $0, seed: changeSeed) }
        commits.add()
      }
    }
    return commits.count
  }

  private func check(_ store: OpenStore) throws {
    let state = try StoreState.read(store.environment)
    var expectation = Expectation()
    for lane in lanes.all { expectation.lanes[lane.number] = lane.expectation }
    try expectation.check(state)
    try Structure.verify(store.environment)
  }
}

/// Where the lanes are between two times that threads work on them.
private final class Lanes: Sendable {
  private let lanes: Mutex<[Lane]>

  init(_ count: Int) {
    lanes = Mutex((0..<count).map { Lane($0) })
  }

  var all: [Lane] { lanes.withLock { $0 } }

  subscript(number: Int) -> Lane {
    get { lanes.withLock { $0[number] } }
    set { lanes.withLock { $0[number] = newValue } }
  }
}
