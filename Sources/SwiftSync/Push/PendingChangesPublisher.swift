import Observation

/// What is pending of a model, kept up to date: the badge that says how much is still to be sent.
///
/// It is read again only after commits that can make a difference: what others than syncs have saved of the model, and what pushes have
/// settled.
@MainActor
@Observable
public final class PendingChangesPublisher<Model: SyncUpdatableModel> where Model.SyncID == String {
  @ObservationIgnored private let container: SyncContainer
  @ObservationIgnored private let watch: PendingWatch
  @ObservationIgnored private var value: SyncPendingChanges
  @ObservationIgnored private var refusal: (any Error)?

  /// Watches what is pending of a model in a container.
  public init(_ model: Model.Type, in syncContainer: SyncContainer) {
    container = syncContainer
    value = SyncPendingChanges()
    let core = syncContainer.modelContainer.core
    let reference = PublisherReference<PendingChangesPublisher<Model>>()
    watch = PendingWatch(try? core.binding(of: model).entity.id) {
      Task { @MainActor in reference.publisher?.announce() }
    }
    reference.publisher = self
    core.commits.add(watch)
  }

  /// The rows with local changes that no server has answered for. Empty if that can't be read, as `failure` then says.
  public var pendingChanges: SyncPendingChanges {
    access(keyPath: \.pendingChanges)
    if watch.takeOutdated() { read() }
    return value
  }

  /// Why what is pending can't be read; nil if it can. `HistoryError.notKept`, for one, is not "nothing pending": the store keeps no
  /// history, so nobody knows.
  public var failure: (any Error)? {
    _ = pendingChanges
    return refusal
  }

  private func read() {
    do {
      value = try SwiftSync.pendingChanges(for: Model.self, in: container.mainContext)
      refusal = nil
    } catch {
      value = SyncPendingChanges()
      refusal = error
    }
  }

  private func announce() {
    if watch.takeUntold() { withMutation(keyPath: \.pendingChanges) {} }
  }
}

/// Leads to a publisher for as long as it is there.
@MainActor
private final class PublisherReference<Publisher: AnyObject> {
  weak var publisher: Publisher?

  nonisolated init() {}
}
