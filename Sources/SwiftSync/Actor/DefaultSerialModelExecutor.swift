import Dispatch

/// Runs a model actor on a queue of its own, never on the main actor, whoever makes the actor.
///
/// A save may wait for the medium. It blocks a thread of the queue then, and none of those that Swift's tasks share.
public final class DefaultSerialModelExecutor: ModelExecutor {
  // Used by jobs on the queue only: those of the one actor that runs here, and those that the mailbox asks for. The initializer
  // gets it from a region that nobody else refers to.
  /// The context of the actor.
  public nonisolated(unsafe) let modelContext: ModelContext
  private let queue = DispatchQueue(label: "SwiftSync.ModelActor")

  /// Makes an executor around a context that nobody else uses.
  public init(modelContext: sending ModelContext) {
    self.modelContext = modelContext
    // Before the writer resumes anybody on the queue, so whoever waits for a call that wrote finds the context up to date.
    modelContext.mailbox.setWake { [weak self] in
      guard let self else { return }
      queue.async { self.modelContext.processPendingChanges() }
    }
    // What was edited before there was anybody to wake.
    if modelContext.isTurnPending { modelContext.mailbox.wakeUp() }
  }

  /// Runs a job on the queue.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  /// Traps unless the caller runs on the queue: `assumeIsolated` asks.
  public func checkIsolated() {
    dispatchPrecondition(condition: .onQueue(queue))
  }
}
