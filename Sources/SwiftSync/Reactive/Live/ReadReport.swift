/// How often a live query was asked whether a change concerns it, and what came of it.
public struct SyncReadActivity: Equatable, Sendable {
  /// Rounds of changes in which it was asked. A change that certainly does not concern it does not count, since it is never asked.
  public internal(set) var checks = 0
  /// Checks after which its objects, or what is shown with them, had other values, and it had the same rows.
  public internal(set) var refreshes = 0
  /// Fetches: the first one, those that a change made necessary, and those that `reload()` asked for.
  public internal(set) var refetches = 0
}

/// What one round of changes cost the live queries of a container.
public struct SyncReadRound: Equatable, Sendable {
  /// What it cost those of one model and form.
  public struct Entry: Equatable, Sendable {
    /// The model.
    public let model: String
    /// What the queries ask for, without the values that they ask for: "by project, sorted by title".
    public let shape: String
    /// How many of them were asked whether the change concerns them, how many were refreshed in place and how many fetched again.
    public fileprivate(set) var activity = SyncReadActivity()
  }

  /// By model and form, those first that fetched most often.
  public let entries: [Entry]
  /// How long the round took on the main actor, observers not counted.
  public let duration: Duration
}

/// Hears what each round of changes has cost the live queries of a container. It is called on the main actor and must be quick.
public typealias SyncReadHandler = @Sendable (SyncReadRound) -> Void

/// Who hears of rounds. A class, so that the queries of one container can be told from those of another with the same store.
final class ReadListener: Sendable {
  let handler: SyncReadHandler

  init(_ handler: @escaping SyncReadHandler) {
    self.handler = handler
  }
}

enum ReadReport {
  /// Tells listeners about the queries that a round has looked at.
  static func send(_ queries: [LiveQuery], took duration: Duration) {
    var listeners: [ObjectIdentifier: ReadListener] = [:]
    var entries: [ObjectIdentifier: [String: SyncReadRound.Entry]] = [:]
    for query in queries {
      guard let listener = query.listener else { continue }
      let id = ObjectIdentifier(listener)
      listeners[id] = listener
      let model = query.interest.entity.name
      let fresh = SyncReadRound.Entry(model: model, shape: query.shape)
      entries[id, default: [:]]["\(model) \(query.shape)", default: fresh].activity.count(query.verdict)
    }
    for (id, listener) in listeners {
      let sorted = (entries[id] ?? [:]).values.sorted { left, right in
        let (more, less) = (left.activity.refetches, right.activity.refetches)
        return more == less ? (left.model, left.shape) < (right.model, right.shape) : more > less
      }
      listener.handler(SyncReadRound(entries: sorted, duration: duration))
    }
  }
}

extension SyncReadActivity {
  fileprivate mutating func count(_ verdict: LiveQuery.Verdict) {
    checks += 1
    switch verdict {
    case .none: break
    case .refresh: refreshes += 1
    case .refetch: refetches += 1
    }
  }
}
