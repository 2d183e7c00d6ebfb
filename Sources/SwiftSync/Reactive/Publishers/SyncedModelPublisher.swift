import Observation

/// The row with a sync identity, and a load that brings it from a backend: a detail screen's. See `SyncedQueryPublisher`.
@MainActor
@Observable
public final class SyncedModelPublisher<Model: PersistentModel & SyncModelable> {
  @ObservationIgnored private let publisher: SyncModelPublisher<Model>
  @ObservationIgnored private let driver: LoadDriver

  /// Reads the row with an identity, and loads by a closure that syncs it.
  public init(
    _ modelType: Model.Type, id: Model.SyncID, in syncContainer: SyncContainer,
    refreshOn: [PartialKeyPath<Model>] = [], fallbackMessage: String = "Something went wrong. Please try again.",
    load: @escaping @MainActor () async throws -> Void
  ) {
    publisher = SyncModelPublisher(modelType, id: id, in: syncContainer, refreshOn: refreshOn)
    driver = LoadDriver(fallbackMessage: fallbackMessage, action: load)
  }

  /// How far the load has come.
  public var phase: SyncLoadPhase { driver.phase }
  /// The object; nil if there is none.
  public var row: Model? { publisher.row }
  /// How the row stands to what the store has: `SyncModelPublisher.condition`.
  public var condition: SyncRowCondition { publisher.condition }
  /// Why the last fetch from the store has failed; nil if it has not.
  public var failure: (any Error)? { publisher.failure }

  /// Forgets what happened underneath unsaved edits.
  public func acknowledge() { publisher.acknowledge() }

  /// Runs the closure, unless it has succeeded before or is running.
  public func load() async { await driver.load() }

  /// Runs the closure, unless it is running.
  public func reload() async { await driver.reload() }
}
