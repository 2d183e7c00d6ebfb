/// The values of a live query, one after the other: `for await snapshot in query.snapshots`.
///
/// The first is the one that the query has. Whoever is slow gets the newest and misses those between; the last one is never missed.
/// It ends with its query, when its task is cancelled, and when the store is closed.
public struct SyncSnapshots<Model: PersistentModel>: AsyncSequence {
  /// What keeps the query; nil if somebody else does.
  private let owner: LiveRows<Model>?
  private(set) weak var query: LiveRows<Model>?
  private let context: ModelContext?

  /// The values of a query that somebody else keeps.
  init(of query: LiveRows<Model>?) {
    self.query = query
    owner = nil
    context = nil
  }

  /// The values of a query that lives as long as the sequence, in a context.
  init(keeping query: LiveRows<Model>, in context: ModelContext) {
    self.query = query
    owner = query
    self.context = context
  }

  /// Makes the iterator.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(query: query, owner: owner, context: context)
  }

  /// Waits for values on the actor of the query's context.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private(set) weak var query: LiveRows<Model>?
    private let owner: LiveRows<Model>?
    private let context: ModelContext?
    private var ticks: AsyncStream<Void>.Iterator?
    private var version: Int?

    fileprivate init(query: LiveRows<Model>?, owner: LiveRows<Model>?, context: ModelContext?) {
      self.query = query
      self.owner = owner
      self.context = context
      ticks = (context?.mailbox.comings ?? query?.ticks.stream())?.makeAsyncIterator()
    }

    /// The next value.
    public nonisolated(nonsending) mutating func next() async -> SyncRowsSnapshot<Model>? {
      await next(isolation: #isolation)
    }

    /// The next value, awaited on the context's actor.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> SyncRowsSnapshot<Model>? {
      while !Task.isCancelled {
        if let snapshot = newSnapshot() { return snapshot }
        guard await ticks?.next(isolation: actor) != nil else { return newSnapshot() }
      }
      return nil
    }

    private mutating func newSnapshot() -> SyncRowsSnapshot<Model>? {
      context?.catchUp()
      guard let query, query.version != version else { return nil }
      version = query.version
      return query.snapshot
    }
  }
}

@available(*, unavailable)
extension SyncSnapshots: Sendable {}

@available(*, unavailable)
extension SyncSnapshots.AsyncIterator: Sendable {}
