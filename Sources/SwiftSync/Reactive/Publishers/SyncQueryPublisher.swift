import Observation

/// The rows of a query, kept up to date: a list for screens.
///
/// ```swift
/// let tasks = SyncQueryPublisher(Task.self, relationship: \.project, relationshipID: 7, in: container)
/// SwiftSync.observeContinuously { show(tasks.rows) }
/// ```
///
/// The rows are those that are stored, of one committed state, and never those of an earlier one again. They are up to date when a
/// sync or save that was made on the main actor returns, and when the main actor goes on after one that was made elsewhere. Objects
/// are the main context's own and show their unsaved edits; these do not decide which rows there are.
///
/// It keeps the container and lives as long as somebody holds it. See `docs/reactive-reads.md`.
@MainActor
@Observable
public final class SyncQueryPublisher<Model: PersistentModel>: SyncQueryShaped {
  @ObservationIgnored private let reading: MainReading<Model>

  /// Reads the rows of a query from a container's main context.
  public required init(_ shape: SyncQueryShape<Model>, in syncContainer: SyncContainer) {
    reading = MainReading(shape, in: syncContainer)
    reading.query?.onChange = { [weak self] in self?.announce() }
  }

  /// The objects, in order. If the first fetch has failed there are none; if a later one has, those of the last that did not.
  ///
  /// Observers are told when there are other rows or in another order, and when a row, or an object that it is related to, has
  /// other values.
  public var rows: [Model] {
    access(keyPath: \.rows)
    return reading.rows
  }

  /// Why the last fetch has failed; nil if it has not. The next commit, or `reload()`, tries again.
  public var failure: (any Error)? {
    access(keyPath: \.rows)
    return reading.failure
  }

  /// The rows with their identifiers and versions, to be compared with another value of this publisher.
  public var snapshot: SyncRowsSnapshot<Model> {
    access(keyPath: \.rows)
    return reading.snapshot
  }

  /// The number of the present value.
  var version: Int {
    access(keyPath: \.rows)
    return reading.query?.version ?? 0
  }

  /// The values one after the other, the present one first. It ends with the publisher.
  public var snapshots: SyncSnapshots<Model> { reading.snapshots }

  /// How often the publisher was asked whether a change concerns it, and what came of it.
  public var activity: SyncReadActivity { reading.activity }

  /// Fetches again. Observers are told, whether something has changed or not.
  public func reload() { reading.reload() }

  private func announce() {
    withMutation(keyPath: \.rows) {}
  }
}
