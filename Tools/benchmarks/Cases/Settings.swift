import Foundation

/// What the command line decides about every case.
struct Settings: Sendable {
  /// How many rows a store has at the beginning.
  var rowCount = 100_000
  /// How many rounds are counted.
  var rounds = 40
  /// How long a contender works in one round.
  var turnMilliseconds = 100
  /// Which contenders of a race run; all if none is named.
  var contenders: [String] = []
  /// Where the folders of the cases are made.
  var folder = FileManager.default.temporaryDirectory.path
  /// Folders with payloads for the sync case.
  var payloads: [String] = []

  var rows: RowSource { RowSource(rowCount: rowCount) }

  /// A race as long as the settings say. `turns` lengthens every turn, for operations that need more of them to show.
  func race(turns: Int = 1) -> Race {
    Race(rounds: rounds, turnDuration: .milliseconds(turnMilliseconds * turns), only: contenders)
  }

  func workFolder(for name: String) throws -> WorkFolder {
    try WorkFolder(in: folder, for: name)
  }
}
