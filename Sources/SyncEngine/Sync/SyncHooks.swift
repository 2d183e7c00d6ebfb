/// How far a sync has come.
public struct SyncProgress: Sendable, Hashable {
  /// How many rows of the payload are done.
  public let completedRows: Int
  /// How many rows the payload has.
  public let totalRows: Int

  package init(completedRows: Int, totalRows: Int) {
    self.completedRows = completedRows
    self.totalRows = totalRows
  }
}

/// A part of the work of a sync.
public enum SyncPhase: String, Sendable, Hashable, CaseIterable {
  /// Reading the payload's text or values.
  case parse
  /// Waiting for other writers.
  case wait
  /// Finding the rows of all identities in the payload.
  case resolve
  /// Writing attributes and to-one links.
  case map
  /// Writing to-many links.
  case link
  /// Deleting rows that the payload doesn't list.
  case delete
  /// Making all of it durable.
  case commit
}

/// What a sync tells others while it runs. The closures are called on the writer's thread, which waits for them. When the
/// transaction has to be run again, they hear everything again.
package struct SyncHooks: Sendable {
  /// Called about a hundred times, and when all rows are done.
  package var progress: (@Sendable (SyncProgress) -> Void)?
  /// Called at the end of each phase.
  package var phase: (@Sendable (SyncPhase, Duration) -> Void)?

  package init(
    progress: (@Sendable (SyncProgress) -> Void)? = nil, phase: (@Sendable (SyncPhase, Duration) -> Void)? = nil
  ) {
    self.progress = progress
    self.phase = phase
  }

  /// Runs a phase and tells how long it took.
  package func measure<Result>(_ phase: SyncPhase, _ body: () throws -> Result) rethrows -> Result {
    guard let report = self.phase else { return try body() }
    let start = ContinuousClock.now
    let result = try body()
    report(phase, start.duration(to: .now))
    return result
  }
}
