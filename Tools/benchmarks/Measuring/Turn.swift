/// What a contender did in one turn.
struct Turn {
  var operations: Int
  var elapsed: Duration
  /// What the process wrote meanwhile, whichever library did it.
  var written: WriteCounters

  var rate: Double { Double(operations) / (elapsed / .seconds(1)) }
}
