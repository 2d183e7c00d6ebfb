import SyncEngine

/// Where the time of a sync of ours went.
struct SyncTimes {
  private var parts: [(name: String, time: Duration)]

  /// The rest is what the report does not tell apart: parsing at first; sorting and writing indexes and links, and the commit.
  init(_ sync: Duration, _ durations: SyncDurations) {
    let rest = sync - durations.resolve - durations.map - durations.link - durations.delete
    parts = [
      ("resolve", durations.resolve), ("map", durations.map), ("link", durations.link),
      ("delete", durations.delete), ("rest", rest),
    ]
  }

  static func + (left: SyncTimes, right: SyncTimes) -> SyncTimes {
    var sum = left
    for index in sum.parts.indices { sum.parts[index].time += right.parts[index].time }
    return sum
  }

  var phases: [Phase] { parts.map { Phase(name: $0.name, milliseconds: $0.time / .milliseconds(1)) } }
}
