/// A write that waits for its turn or runs: what to do, and whom to tell.
///
/// Unchecked `Sendable`: `state` is touched with the queue's lock held; `body` only by the writer thread, or by the one
/// who takes the write out of the queue again.
final class Write: @unchecked Sendable {
  enum State {
    case new
    case waiting
    /// Taken by the writer thread, or taken out.
    case taken
  }

  /// The environment to write to, kept open by the write.
  let environment: EnvironmentCore
  let durability: Durability
  /// Whether the thread that waits for this write has a snapshot open, which then stays open until the write is done.
  let callerHoldsSnapshot: Bool
  var state = State.new
  private var body: (@Sendable (WriteTransaction) throws -> Void)?
  private let completion: @Sendable ((any Error)?) -> Void

  init(
    to environment: EnvironmentCore, _ durability: Durability, callerHoldsSnapshot: Bool,
    body: @escaping @Sendable (WriteTransaction) throws -> Void,
    completion: @escaping @Sendable ((any Error)?) -> Void
  ) {
    self.environment = environment
    self.durability = durability
    self.callerHoldsSnapshot = callerHoldsSnapshot
    self.body = body
    self.completion = completion
  }

  /// Runs the body, which may happen more than once.
  func run(in transaction: WriteTransaction) throws {
    try body?(transaction)
  }

  /// Tells the caller how it ended. Called once, by whoever took it.
  func end(_ error: (any Error)?) {
    // The caller may only have lent it.
    body = nil
    environment.leaveWrite()
    completion(error)
  }
}
