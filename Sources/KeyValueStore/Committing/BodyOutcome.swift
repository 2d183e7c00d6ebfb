/// How a body has ended that did not throw an error of its own.
enum BodyOutcome: Equatable {
  /// It has become a member of the group.
  case done
  /// It has to run again, with a larger map.
  case needsLargerMap
  /// It has to run again in a transaction of its own; as a bulk transaction if it changes too much for the log.
  case runsAlone(isBulk: Bool)
}

/// What an operation throws when its body has to run again. The body's caller never sees it.
struct BodyRestart: Error {}
