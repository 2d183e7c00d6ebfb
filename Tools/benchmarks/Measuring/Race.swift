/// Contenders that take turns, round after round.
///
/// A machine's speed drifts, above all that of its disk, so figures of different minutes can't be compared. Within a round
/// all contenders meet nearly the same machine; so ratios are taken within rounds, and their median is what counts. The
/// order rotates from round to round, so that nobody always comes after the same neighbour.
struct Race {
  /// Uncounted rounds at the beginning: caches fill, files reach their size.
  static let warmUpRounds = 2

  let rounds: Int
  let turnDuration: Duration
  /// The names of those that run, for a profiler that looks at one of them; all run if none is named.
  let only: [String]

  func run(_ contenders: [Contender]) async throws -> RaceResult {
    let contenders = only.isEmpty ? contenders : contenders.filter { only.contains($0.name) }
    var result = RaceResult(contenders)
    for round in 0..<(Self.warmUpRounds + rounds) {
      if round == Self.warmUpRounds { for contender in contenders { contender.latencies?.reset() } }
      for position in contenders.indices {
        let index = (position + round) % contenders.count
        let turn = try await self.turn(of: contenders[index])
        if round >= Self.warmUpRounds { result.turns[index].append(turn) }
      }
    }
    return result
  }

  private func turn(of contender: Contender) async throws -> Turn {
    let syncs = contender.syncCount?()
    let counters = WriteCounters.now()
    let start = ContinuousClock.now
    let operations = try await contender.work(Deadline(in: turnDuration))
    let elapsed = ContinuousClock.now - start
    var turn = Turn(operations: operations, elapsed: elapsed, written: .now() - counters)
    if let syncs { turn.syncs = contender.syncCount.map { $0() - syncs } }
    return turn
  }
}

/// All turns of a race.
struct RaceResult {
  let names: [String]
  /// For each contender its turns, by round.
  var turns: [[Turn]]
  /// For each contender the times of single operations, where they were noted.
  let latencies: [Latencies?]

  init(_ contenders: [Contender]) {
    names = contenders.map(\.name)
    turns = contenders.map { _ in [] }
    latencies = contenders.map(\.latencies)
  }

  func latencies(of name: String) -> Latencies? {
    names.firstIndex(of: name).flatMap { latencies[$0] }
  }

  func rates(of name: String) -> [Double] {
    guard let index = names.firstIndex(of: name) else { return [] }
    return turns[index].map(\.rate)
  }

  /// How many times faster one contender was than another, in each round.
  func ratios(of name: String, to rival: String) -> [Double] {
    zip(rates(of: name), rates(of: rival)).map { $0 / $1 }
  }
}
