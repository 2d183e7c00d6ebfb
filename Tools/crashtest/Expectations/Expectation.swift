/// What a store may contain when it is opened after a crash.
struct Expectation: Sendable, Equatable {
  /// The states that one lane may be in, each a commit with its hash.
  struct Lane: Sendable, Equatable {
    var states: [State]
  }

  struct State: Sendable, Equatable {
    var commit: Int
    var hash: UInt64
  }

  /// The lanes that have had commits. Every other one is empty.
  var lanes: [Int: Lane] = [:]

  /// Whether the store's creation is known to be complete: it has a commit for certain.
  var isStoreCertain: Bool { lanes.values.contains { lane in lane.states.allSatisfy { $0.commit > 0 } } }

  static let untouched = Lane(states: [State(commit: 0, hash: 0)])

  /// Throws a `Finding` unless a state is one of those that are expected.
  func check(_ state: StoreState) throws {
    for number in Set(lanes.keys).union(state.lanes.keys).sorted() {
      let expected = lanes[number] ?? Expectation.untouched
      let hash = state.hash(of: number)
      // A lane without an entry of its own is known by its content alone.
      let commit = state.lanes[number]?.entry?.commit
      let fits = expected.states.contains { $0.hash == hash && (commit == nil || commit == $0.commit) }
      if fits { continue }
      let commits = expected.states.map(\.commit)
      let range = "\(commits.min() ?? 0)...\(commits.max() ?? 0)"
      let found = commit.map { "\($0)" } ?? expected.states.first { $0.hash == hash }.map { "\($0.commit)" } ?? "none"
      throw Finding("lane \(number) is at commit \(found), hash \(hash); expected were the commits \(range)")
    }
  }

  /// That exactly this state is found again.
  init(exactly state: StoreState) {
    for (number, lane) in state.lanes {
      let commit = lane.entry?.commit ?? 0
      lanes[number] = Lane(states: [State(commit: commit, hash: lane.hash)])
    }
  }

  init() {}
}
