/// What the marks up to a point of a recording promise about a crash there.
struct Ledger: Sendable {
  private struct Lane: Sendable {
    /// The last commit that survives the death of the process, and the last that survives a power cut.
    var acknowledged = 0
    var durable = 0
    /// The last commit that may be there.
    var started = 0
    var hashes: [Int: UInt64] = [0: 0]
  }

  /// What may be there at first: if only processes die from then on, and if the power fails.
  struct Initial: Sendable {
    var afterProcessCrash: Expectation
    var afterPowerCut: Expectation
  }

  private var lanes: [Int: Lane] = [:]
  /// What may have been there when the recording began; nil once a recovery has settled it.
  private var initial: Initial?
  /// Hashes that become known only after the commit, by lane.
  private var laterHashes: [Int: [Int: UInt64]] = [:]
  private(set) var isCreated = false

  /// A recording of a store that may be in some states at first; nil for a store that does not exist yet.
  init(_ recording: Recording, initial: Initial? = nil) {
    self.initial = initial
    for mark in recording.events.compactMap(Mark.init) where mark.kind == .hashed {
      laterHashes[mark.lane, default: [:]][mark.commit] = mark.hash
    }
  }

  /// Nothing has been promised yet.
  init() {}

  mutating func apply(_ mark: Mark) {
    switch mark.kind {
    case .created:
      isCreated = true
    case .started:
      lanes[mark.lane, default: Lane()].started = mark.commit
      lanes[mark.lane, default: Lane()].hashes[mark.commit] = mark.hash
    case .begun:
      lanes[mark.lane, default: Lane()].started = mark.commit
    case .acknowledged:
      lanes[mark.lane, default: Lane()].acknowledged = mark.commit
    case .durable:
      lanes[mark.lane, default: Lane()].durable = mark.commit
    case .failed:
      // It is the commit after the last acknowledged one; if its body has thrown, it was never started.
      let lane = lanes[mark.lane, default: Lane()]
      lanes[mark.lane]?.started = min(lane.started, mark.commit - 1)
    case .hashed:
      lanes[mark.lane, default: Lane()].hashes[mark.commit] = mark.hash
    case .settled:
      initial = nil
    case .recovered:
      lanes[mark.lane] = Lane(
        acknowledged: mark.commit, durable: mark.commit, started: mark.commit, hashes: [mark.commit: mark.hash])
    }
  }

  /// What a crash here may leave.
  func expectation(afterPowerCut: Bool) -> Expectation {
    if let initial { return afterPowerCut ? initial.afterPowerCut : initial.afterProcessCrash }
    var expectation = Expectation()
    for (number, lane) in lanes {
      let least = min(afterPowerCut ? lane.durable : lane.acknowledged, lane.started)
      expectation.lanes[number] = Expectation.Lane(
        states: (least...lane.started).compactMap { commit in
          (lane.hashes[commit] ?? laterHashes[number]?[commit]).map { Expectation.State(commit: commit, hash: $0) }
        })
    }
    return expectation
  }
}
