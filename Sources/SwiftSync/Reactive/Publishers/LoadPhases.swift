import Foundation

/// How far a screen's load has come.
public enum SyncLoadPhase: Equatable, Sendable {
  /// It has not begun.
  case idle
  /// It is running.
  case loading
  /// It has succeeded.
  case loaded
  /// It has failed, with what to show about it.
  case failed(message: String)

  /// What to show about a failure; nil if there is none.
  public var failureMessage: String? {
    if case .failed(let message) = self { message } else { nil }
  }
}

/// How far a submission has come.
public enum SyncSubmissionPhase: Equatable, Sendable {
  /// Nothing is being submitted.
  case idle
  /// A submission is running.
  case submitting
  /// The last one has failed, with what to show about it.
  case failed(message: String)

  /// What to show about a failure; nil if there is none.
  public var failureMessage: String? {
    if case .failed(let message) = self { message } else { nil }
  }
}

/// What screens show about an error.
enum FailureMessage {
  /// The text that an error has for its user, if it has one that is not blank; otherwise the fallback.
  static func text(for error: any Error, fallback: String) -> String {
    let text = (error as? any LocalizedError)?.errorDescription?.trimmingCharacters(in: .whitespacesAndNewlines)
    return text.flatMap { $0.isEmpty ? nil : $0 } ?? fallback
  }
}
