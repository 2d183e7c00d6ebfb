/// Takes the marks that a process says into a ledger, and judges what it has found when it opened the store.
struct MarkListener {
  private static let patienceMilliseconds: Int32 = 60_000

  private var lines: LineReader
  private var found = StoreState()
  private var recovered: [Mark] = []

  init(_ descriptor: Int32) {
    lines = LineReader(descriptor)
  }

  /// Listens until a moment or, without one, until the process says no more.
  mutating func listen(until deadline: ContinuousClock.Instant?, _ ledger: inout Ledger) throws {
    while true {
      var wait = Self.patienceMilliseconds
      if let deadline {
        let rest = ContinuousClock.now.duration(to: deadline)
        if rest <= .zero { return }
        wait = Int32(min(Double(wait), rest / .milliseconds(1) + 1))
      }
      guard let line = lines.next(waiting: wait) else {
        if deadline == nil, lines.hasTimedOut { throw Finding("the writing process hangs") }
        return
      }
      if let mark = Mark(line: line) { try take(mark, &ledger) }
    }
  }

  private mutating func take(_ mark: Mark, _ ledger: inout Ledger) throws {
    switch mark.kind {
    case .recovered:
      recovered.append(mark)
      found.lanes[mark.lane] = StoreState.Lane(
        hash: mark.hash, entry: mark.commit == 0 ? nil : LaneEntry(commit: mark.commit, hash: mark.hash))
    case .settled:
      try ledger.expectation(afterPowerCut: false).check(found)
      for mark in recovered + [mark] { ledger.apply(mark) }
    default:
      ledger.apply(mark)
    }
  }
}
