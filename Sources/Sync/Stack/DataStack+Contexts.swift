/// Contexts beside the main one.
extension DataStack {
  /// Makes a context for code that runs elsewhere than on the main actor. It belongs to whoever asks for it.
  ///
  /// What it saves is taken in by all other contexts.
  public func newBackgroundContext() -> ManagedObjectContext { ManagedObjectContext(source) }

  /// The same as `newBackgroundContext()`: contexts take in only what their objects show, so there is nothing to be spared.
  public func newNonMergingBackgroundContext() -> ManagedObjectContext { newBackgroundContext() }

  /// Makes a context with a store of its own, in memory, whose saves forget what they would write: a place to try things out.
  @MainActor public func newDisposableMainContext() -> ManagedObjectContext {
    ManagedObjectContext(source.inMemory(), isDisposable: true)
  }

  /// Runs a closure with a context of its own, outside of the main actor.
  ///
  /// The closure saves what it wants to be kept. Objects stay within it; `objectID` names them elsewhere.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws.
  public func performInNewBackgroundContext<Result: Sendable>(
    _ body: @Sendable (ManagedObjectContext) async throws -> Result
  ) async throws -> Result {
    try await body(newBackgroundContext())
  }

  /// Has a closure run with a context of its own, outside of the main actor, and doesn't wait for it.
  public func performInNewBackgroundContext(_ body: @escaping @Sendable (ManagedObjectContext) -> Void) {
    let source = source
    Task.detached { body(ManagedObjectContext(source)) }
  }

  /// The same as `performInNewBackgroundContext(_:)`.
  public func performBackgroundTask(operation: @escaping @Sendable (ManagedObjectContext) -> Void) {
    performInNewBackgroundContext(operation)
  }
}
