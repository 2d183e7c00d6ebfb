import Observation

/// Runs what a screen submits, one at a time, and says how far it has come.
@MainActor
@Observable
public final class SyncSubmissionDriver {
  /// How far the submission has come.
  public private(set) var phase = SyncSubmissionPhase.idle
  @ObservationIgnored private let fallbackMessage: String

  /// Makes a driver. The message is shown for errors that have no text for users.
  public init(fallbackMessage: String = "Something went wrong. Please try again.") {
    self.fallbackMessage = fallbackMessage
  }

  /// Runs a submission, unless one is running.
  ///
  /// If it throws, the phase says what to show: the error's own text if it is a `LocalizedError` that has one, else the fallback.
  public func submit(_ action: @MainActor () async throws -> Void) async {
    if phase == .submitting { return }
    phase = .submitting
    do {
      try await action()
      phase = .idle
    } catch {
      phase = .failed(message: FailureMessage.text(for: error, fallback: fallbackMessage))
    }
  }

  /// Takes a failure from the screen.
  public func dismissFailure() {
    if phase.failureMessage != nil { phase = .idle }
  }
}
