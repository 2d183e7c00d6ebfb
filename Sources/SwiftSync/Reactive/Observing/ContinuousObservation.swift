import Observation

extension SwiftSync {
  /// Runs a closure now, and again whenever something observable that it read has changed: models, publishers, and what else is
  /// `@Observable`.
  ///
  /// It runs on the main actor, after the code that changed something there is through; several changes until then are one. It goes on
  /// until the result's `stop()`, also if nobody keeps the result, so what the closure refers to should be weak.
  @discardableResult
  @MainActor public static func observeContinuously(
    _ update: @escaping @MainActor () -> Void
  ) -> ContinuousObservation {
    let observation = ContinuousObservation(update)
    observation.run()
    return observation
  }
}

/// A closure that is run again whenever something that it read has changed.
@MainActor
public final class ContinuousObservation {
  private var update: (@MainActor () -> Void)?

  fileprivate init(_ update: @escaping @MainActor () -> Void) {
    self.update = update
  }

  /// Whether the closure will not be run any more.
  public var isStopped: Bool { update == nil }

  /// Ends it. The closure is not run any more, not even for what has changed already, and is let go.
  public func stop() {
    update = nil
  }

  fileprivate func run() {
    guard let update else { return }
    withObservationTracking(update) { [self] in
      Task { @MainActor in self.run() }
    }
  }
}
