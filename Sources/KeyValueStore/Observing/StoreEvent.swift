/// Something that happens in a store by itself, which an application may want to log.
public enum StoreEvent: Sendable, Hashable {
  /// A checkpoint was finished, after this time.
  case checkpoint(duration: Duration)
  /// The map was made larger.
  case mapGrown(byteCount: Int)
  /// A transaction went around the log, because it changed too much for it.
  case bulkTransaction(duration: Duration)
  /// A snapshot of this process has been open for longer than `Environment.Options.snapshotAgeMax`. The store can't use
  /// the space again that was freed since, so its file grows. It is told once for each snapshot.
  case snapshotTooOld(age: Duration)
  /// What is on the medium is not known any more: the store takes no more writes until it is opened again.
  case mustReopen(path: String, cause: ReopenCause)
}

/// Keeps an event handler registered for as long as it lives.
public final class EventObservation: Sendable {
  private let end: @Sendable () -> Void

  init(end: @escaping @Sendable () -> Void) {
    self.end = end
  }

  deinit {
    end()
  }
}
