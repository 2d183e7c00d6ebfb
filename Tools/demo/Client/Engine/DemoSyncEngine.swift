import DemoWire
import SwiftSync

/// What an app that works offline is built around: everything is read from and written to the local store, and the engine brings the store
/// and the server together when there is a network.
///
/// Edits are made in the store in any case, online or not, so there is one way for them. Being online only decides when they are sent.
@MainActor @Observable package final class DemoSyncEngine {
  package let container: SyncContainer
  /// Whether the user has switched the network off. Switching it on again sends what is pending, in the background.
  package var isOffline = false {
    didSet { if oldValue, !isOffline { pushInBackground() } }
  }
  /// Whether something is being sent or fetched.
  package private(set) var isSyncing = false
  /// Why the last push did not get through to its end; nil if it did.
  package private(set) var pushFailure: String?

  @ObservationIgnored private let transport: any Transport
  @ObservationIgnored private let clock: @Sendable () -> Date
  @ObservationIgnored private var runningPush: _Concurrency.Task<SyncPushReport<SyncRowIdentity>, any Error>?
  @ObservationIgnored private var activityCount = 0

  /// The models that are changed offline, and sent.
  package static let pushedModels: [any SyncUpdatableModel.Type] = [Project.self, Task.self]

  /// - Parameters:
  ///   - container: the local store.
  ///   - transport: the way to the server.
  ///   - clock: what time it is.
  package init(
    container: SyncContainer, transport: any Transport, clock: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.container = container
    self.transport = transport
    self.clock = clock
  }

  /// Opens the local store of the tracker's models, made if it is not there.
  ///
  /// - Parameters:
  ///   - folder: where it is; nil for one in memory.
  ///   - conflicts: what becomes of rows that were changed here and on the server.
  /// - Returns: a container of it.
  /// - Throws: what opening a store throws.
  package static func openContainer(
    at folder: URL?, conflicts: SyncConflictPolicy = .localWins
  ) throws -> SyncContainer {
    let configuration =
      folder.map { ModelConfiguration(url: $0) } ?? ModelConfiguration(isStoredInMemoryOnly: true)
    return try SyncContainer(
      for: Task.self, TaskStateOption.self, conflicts: conflicts, configurations: configuration)
  }

  package var context: ModelContext { container.mainContext }

  /// The time as it goes over the wire.
  var now: Timestamp { Timestamp(clock()) }

  /// Sends a request, and returns the body of a response that is no error.
  func send(_ request: Request) async throws -> Data {
    if isOffline { throw TransportError.offline }
    let response = try await transport.send(request)
    guard response.isSuccess else {
      let answer = try? JSONSerialization.jsonObject(with: response.body) as? [String: Any]
      throw TransportError.refused(status: response.status, message: answer?["error"] as? String ?? "")
    }
    return response.body
  }

  /// Does something that `isSyncing` tells of.
  func working<Result>(_ body: () async throws -> Result) async rethrows -> Result {
    activityCount += 1
    isSyncing = true
    defer {
      activityCount -= 1
      isSyncing = activityCount > 0
    }
    return try await body()
  }

  /// Sends what is pending, until nothing is or something remains without an answer. Who calls while that goes on joins it.
  ///
  /// - Returns: What became of the changes; nil while offline.
  /// - Throws: `TransportError` when the server could not be reached: everything is pending as before. Errors of the store.
  @discardableResult
  package func pushPendingChanges() async throws -> SyncPushReport<SyncRowIdentity>? {
    if isOffline { return nil }
    if let runningPush { return try await runningPush.value }
    let push = _Concurrency.Task {
      // Forgotten at once with its end: who joined it later would believe that what they have saved since was sent, too.
      defer { runningPush = nil }
      return try await working { try await container.drain(Self.pushedModels, process: upload) }
    }
    runningPush = push
    do {
      let report = try await push.value
      pushFailure = nil
      return report
    } catch {
      pushFailure = "\(error)"
      throw error
    }
  }

  private func pushInBackground() {
    // What goes wrong is in `pushFailure`.
    _Concurrency.Task { try? await pushPendingChanges() }
  }
}
