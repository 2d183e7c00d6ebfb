import Dispatch
import Records
import Synchronization

/// `swiftsync watch`: what an application commits, as it does.
struct WatchCommand: Command {
  enum Format: String, CaseIterable, ArgumentValue {
    case text, ndjson
  }

  static let entity = Option<String>(name: "--entity", placeholder: "E", help: "Only changes of rows of this entity.")
  static let count = Option<RowLimit>(name: "--count", placeholder: "N", help: "End after N transactions.")
  static let format = Option<Format>(
    name: "--format", placeholder: "F", help: "text (default), or ndjson: one JSON object a line.")

  static let syntax = CommandSyntax(
    name: "watch",
    summary: "Show what an application commits, as it does.",
    discussion: """
      Wait for commits of a store that another process writes, and show which rows each has inserted, updated and deleted. It
      goes on until it is interrupted, and holds no snapshot while it waits.
      """,
    operands: [.store],
    options: [entity, count, format],
    examples: [Example(line: "swiftsync watch app.store --entity Task", purpose: "watch tasks")])

  let store: String
  let entity: String?
  let count: Int
  let format: Format

  init(_ arguments: Arguments) throws(UsageError) {
    store = try arguments.operand(.store)
    entity = try arguments.value(of: Self.entity)
    count = try arguments.value(of: Self.count)?.count ?? .max
    format = try arguments.value(of: Self.format) ?? .text
  }

  var stores: [String] { [store] }

  func run(output: StandardOutput) throws {
    let store = try RecordStore(readingAt: store)
    defer { store.close() }
    let entity = try entity.flatMap { try store.catalog.entities(named: $0).first }
    let arrivals = Arrivals()
    let follower = try ChangeFollower(store) { arrivals.add($0) }
    var document = ChangeDocument(format == .text ? .text : .ndjson, of: entity, in: store.catalog, to: output)
    var seen = 0
    try withExtendedLifetime(follower) {
      while seen < count {
        try Interruption.check()
        for arrival in arrivals.next() where seen < count {
          switch arrival {
          case .committed(let changes) where document.isOfInterest(changes):
            seen += 1
            try document.write(changes)
          case .committed: break
          case .unknown(let number):
            if number == nil { throw WatchEnded() }
            Supervisor.tell("There were commits of which the history does not say what they did.")
          }
        }
        try output.flush()
      }
    }
  }
}

/// The store can't be read any more.
struct WatchEnded: Error, Equatable, CustomStringConvertible {
  var description: String { "The store can't be followed any more: it was closed, removed or replaced." }
}

/// What has been told of and not been shown yet.
private final class Arrivals: Sendable {
  private let waiting = Mutex<[FollowedChanges]>([])
  private let signal = DispatchSemaphore(value: 0)

  func add(_ changes: FollowedChanges) {
    waiting.withLock { $0.append(changes) }
    signal.signal()
  }

  /// What has come since the last call, after a short time at most: whoever waits has to hear of signals, too.
  func next() -> [FollowedChanges] {
    _ = signal.wait(timeout: .now() + .milliseconds(100))
    return waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }
}
