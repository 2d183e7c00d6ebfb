import Foundation
import SyncEngine

/// A folder with everything that the peers are given, and the answers that they have to come to.
///
/// - `first` and `second`: folders with a payload each, `users.json`, `projects.json` and `tasks.json`;
/// - `upserts.ndjson`: single tasks, one a line;
/// - `questions.json`: what is looked for;
/// - `answers.json`: what is found.
struct TrackerWorkload: Sendable {
  /// What is looked for.
  struct Questions: Codable {
    /// Tasks that are looked up by identity, some more than once.
    var tasks: [UUID]
    /// Projects whose tasks are listed and exported, some more than once if there are few.
    var projects: [UUID]
  }

  static let upsertCountMax = 1000
  static let lookUpCountMax = 10_000
  static let projectCountMax = 200
  static let urgentLimit = 50
  static let urgentPriority = 3

  let path: String

  var first: String { path + "/first" }
  var second: String { path + "/second" }

  /// The single rows, each as the text of an object.
  func upserts() throws -> [Data] {
    try Data(contentsOf: file("upserts.ndjson")).split(separator: UInt8(ascii: "\n")).map { Data($0) }
  }

  func questions() throws -> Questions {
    try JSONDecoder().decode(Questions.self, from: Data(contentsOf: file("questions.json")))
  }

  func answers() throws -> TrackerAnswers {
    try JSONDecoder().decode(TrackerAnswers.self, from: Data(contentsOf: file("answers.json")))
  }

  /// Writes the folder for so many tasks.
  func make(taskCount: Int) throws {
    var generator = TrackerGenerator()
    let rows = generator.rows(taskCount: taskCount)
    let successor = generator.successor(of: rows)
    let upserts = generator.upserts(min(Self.upsertCountMax, taskCount), of: rows)
    let questions = Questions(
      tasks: generator.draws(min(Self.lookUpCountMax, 10 * taskCount), of: taskCount).map { rows.tasks[$0].id },
      projects: generator.draws(
        min(Self.projectCountMax, max(1, taskCount / 5)), of: rows.projects.count
      ).map { rows.projects[$0].id })
    try rows.write(to: first)
    try successor.write(to: second)
    var lines = Data()
    for task in upserts {
      var writer = JSONWriter()
      writer.write(task)
      writer.endLine()
      lines.append(contentsOf: writer.bytes)
    }
    try lines.write(to: file("upserts.ndjson"))
    try JSONEncoder().encode(questions).write(to: file("questions.json"))
    let answers = TrackerAnswers(to: questions, about: rows, then: successor, upserting: upserts)
    try JSONEncoder().encode(answers).write(to: file("answers.json"))
  }

  private func file(_ name: String) -> URL { URL(fileURLWithPath: path + "/" + name) }
}

extension TrackerRows {
  /// Writes a payload: a file with an array for each kind of row.
  fileprivate func write(to folder: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Self.write(users, to: folder + "/users.json") { $0.write($1) }
    try Self.write(projects, to: folder + "/projects.json") { $0.write($1) }
    try Self.write(tasks, to: folder + "/tasks.json") { $0.write($1) }
  }

  private static func write<Row>(
    _ rows: [Row], to path: String, _ writeRow: (inout JSONWriter, Row) -> Void
  ) throws {
    var writer = JSONWriter()
    writer.beginArray()
    for row in rows { writeRow(&writer, row) }
    writer.endArray()
    try Data(writer.bytes).write(to: URL(fileURLWithPath: path))
  }
}
