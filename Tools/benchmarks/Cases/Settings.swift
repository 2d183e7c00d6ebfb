import Foundation

/// What the command line decides about every case.
struct Settings: Sendable {
  /// How many rows a store has at the beginning.
  var rowCount = 100_000
  /// How many rounds are counted; where it is not said, as many as a case needs.
  var roundsAsked: Int?
  /// How long a contender works in one round.
  var turnMilliseconds = 100
  /// Which peers take part; all if none is named.
  var peers: [String] = []
  /// How often a case of the tracker is repeated in this process, for a profiler; nil when it is measured in others.
  var repetitions: Int?
  /// Where the folders of the cases are made.
  var folder = FileManager.default.temporaryDirectory.path
  /// Folders with payloads for the sync case.
  var payloads: [String] = []
  /// What the cases of the tracker share.
  let stage = TrackerStage()

  /// How many rounds a race has, of which each is a part of a second.
  var rounds: Int { roundsAsked ?? 40 }

  var rows: RowSource { RowSource(rowCount: rowCount) }

  /// A race as long as the settings say. `turns` lengthens every turn, for operations that need more of them to show.
  func race(turns: Int = 1) -> Race {
    Race(rounds: rounds, turnDuration: .milliseconds(turnMilliseconds * turns), only: peers)
  }

  func workFolder(for name: String) throws -> WorkFolder {
    try WorkFolder(in: folder, for: name)
  }
}
