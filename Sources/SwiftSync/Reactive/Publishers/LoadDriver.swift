import Observation

/// Runs a screen's load, and says how far it has come.
@MainActor
@Observable
final class LoadDriver {
  private(set) var phase = SyncLoadPhase.idle
  @ObservationIgnored private let fallbackMessage: String
  @ObservationIgnored private let action: @MainActor () async throws -> Void

  init(fallbackMessage: String, action: @escaping @MainActor () async throws -> Void) {
    self.fallbackMessage = fallbackMessage
    self.action = action
  }

  /// Loads, unless that has succeeded or is running.
  func load() async {
    if phase == .loaded { return }
    await reload()
  }

  /// Loads, unless that is running.
  func reload() async {
    if phase == .loading { return }
    phase = .loading
    do {
      try await action()
      phase = .loaded
    } catch {
      phase = .failed(message: FailureMessage.text(for: error, fallback: fallbackMessage))
    }
  }
}
