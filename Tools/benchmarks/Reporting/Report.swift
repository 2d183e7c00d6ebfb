import Foundation

/// A run of the program: the machine, the settings, and what the cases have found.
struct Report: Codable {
  var machine: Machine
  var rowCount: Int
  /// As they were asked for.
  var rounds: Int?
  var turnMilliseconds: Int
  var cases: [CaseReport] = []

  init(machine: Machine, settings: Settings) {
    self.machine = machine
    rowCount = settings.rowCount
    rounds = settings.roundsAsked
    turnMilliseconds = settings.turnMilliseconds
  }

  func write(to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(self).write(to: URL(fileURLWithPath: path))
  }

  init(readFrom path: String) throws {
    self = try JSONDecoder().decode(Report.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
  }
}
