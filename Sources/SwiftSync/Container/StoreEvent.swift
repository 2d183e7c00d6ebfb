import KeyValueStore
import Records

/// Something that happens in a container's store by itself, which an application may want to log.
public enum StoreEvent: Sendable, Hashable {
  /// Everything that was acknowledged has been brought into the data file, in this time.
  case checkpoint(duration: Duration)
  /// There was too little address space for the data file, and there is more of it now.
  case mapGrown(byteCount: Int)
  /// A save or a sync went around the log, because it changed too much for it.
  case bulkTransaction(duration: Duration)
  /// Somebody has been reading one state of the store for this long, so the space that was freed since is not used again.
  case snapshotTooOld(age: Duration)
  /// The medium has failed in a way that leaves open what is on it: the store takes no more writes until it is opened again.
  case mustReopen(path: String, cause: ReopenCause)
  /// The history has lost transactions that a consumer has not seen yet, because there were more than `HistoryPolicy` keeps for
  /// consumers. It has to begin with the objects themselves, and to advance.
  case historyConsumerFellBehind(name: String)

  init(_ event: KeyValueStore.StoreEvent) {
    switch event {
    case .checkpoint(let duration): self = .checkpoint(duration: duration)
    case .mapGrown(let byteCount): self = .mapGrown(byteCount: byteCount)
    case .bulkTransaction(let duration): self = .bulkTransaction(duration: duration)
    case .snapshotTooOld(let age): self = .snapshotTooOld(age: age)
    case .mustReopen(let path, let cause): self = .mustReopen(path: path, cause: cause)
    }
  }

  init(_ event: HistoryEvent) {
    switch event {
    case .consumerFellBehind(let name): self = .historyConsumerFellBehind(name: name)
    }
  }
}

/// Keeps a handler of store events registered for as long as it lives.
public final class StoreEventObservation: Sendable {
  private let files: EventObservation
  private let history: StoreObservation

  init(of store: RecordStore, _ handler: @escaping @Sendable (StoreEvent) -> Void) {
    files = store.environment.observeEvents { handler(StoreEvent($0)) }
    history = store.observeHistory { handler(StoreEvent($0)) }
  }
}
