/// A live query of a container's main context: what all publishers are made of.
///
/// It keeps the container, so that the store stays open and the context is brought up to date as long as there is a publisher.
@MainActor
final class MainReading<Model: PersistentModel> {
  /// Nil if what is asked for cannot be; `failure` then says why.
  let query: LiveRows<Model>?
  private let container: SyncContainer
  private let context: ModelContext
  private let refusal: (any Error)?

  init(_ shape: SyncQueryShape<Model>, in container: SyncContainer, watchesEdits: Bool = false) {
    self.container = container
    context = container.mainContext
    do {
      let made = try LiveRows(shape, in: context.core, listener: container.readListener, watchesEdits: watchesEdits)
      context.keepUpToDate(made)
      query = made
      refusal = nil
    } catch {
      query = nil
      refusal = error
    }
  }

  var rows: [Model] { query?.rows ?? [] }
  var failure: (any Error)? { refusal ?? query?.failure }
  var activity: SyncReadActivity { query?.activity ?? SyncReadActivity() }
  var snapshots: SyncSnapshots<Model> { SyncSnapshots(of: query) }

  var snapshot: SyncRowsSnapshot<Model> {
    query?.snapshot ?? SyncRowsSnapshot(version: 0, rows: [], failure: nil, rowNumbers: [], rowVersions: [:])
  }

  func reload() {
    if let query { context.reload(query) }
  }

  isolated deinit {
    if let query { context.liveQueries?.remove(query) }
  }
}
