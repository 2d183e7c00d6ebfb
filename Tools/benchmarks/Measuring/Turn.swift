/// What a contender did in one turn.
struct Turn {
  var operations: Int
  var elapsed: Duration
  /// What the process wrote meanwhile, whichever library did it.
  var written: WriteCounters
  /// How many syncs there were, where they are counted.
  var syncs: Int?

  var rate: Double { Double(operations) / (elapsed / .seconds(1)) }
}
