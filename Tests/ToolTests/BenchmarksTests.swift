import Foundation
import TestSupport
import Testing

/// The program that measures: whether every case still runs and reports. What it measures is nothing that a test can know.
@Suite struct BenchmarksTests {
  /// What of the program's JSON is looked at.
  private struct Report: Decodable {
    struct Case: Decodable {
      var name: String
      var tables: [Table]
    }

    struct Table: Decodable {
      var title: String
      var columns: [String]
      var rows: [Row]
    }

    struct Row: Decodable {
      var label: String
      var values: [Double?]
    }

    var cases: [Case]
  }

  private static let payload = [
    "projects": #"[{"id": "00000000-0000-0000-0000-000000000001", "name": "P", "updated_at": "2026-01-01T00:00:00Z"}]"#,
    "users": "[]",
    "tasks": #"""
    [{"id": "00000000-0000-0000-0000-000000000002", "title": "T", "state": "open", "priority": 1,
      "created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z",
      "project_id": "00000000-0000-0000-0000-000000000001"}]
    """#,
  ]

  @Test func everyCaseRunsAndReports() throws {
    let names = try ToolRun(["list"], of: "benchmarks").output.split(separator: "\n").compactMap {
      $0.split(separator: " ").first.map(String.init)
    }
    #expect(names.contains("commit") && names.contains("sync") && names.contains("A"))

    let folder = try TemporaryFolder()
    for (name, text) in Self.payload {
      try Data(text.utf8).write(to: URL(fileURLWithPath: folder["\(name).json"]))
    }
    // In memory where that is possible: 64 threads that sync to a medium one after the other take seconds.
    let memory = "/dev/shm"
    let work = FileManager.default.isWritableFile(atPath: memory) ? memory : folder.path
    let run = try ToolRun(
      [
        "run", "--rows", "200", "--rounds", "1", "--turn", "1", "--folder", work, "--payload", folder.path,
        "--json", folder["report.json"],
      ], of: "benchmarks")
    #expect(run.end == .exited(0))
    #expect(run.messages == "")

    let report = try JSONDecoder().decode(
      Report.self, from: Data(contentsOf: URL(fileURLWithPath: folder["report.json"])))
    #expect(report.cases.map(\.name) == names)
    for benchmark in report.cases {
      #expect(run.output.contains("\n\(benchmark.name): "))
      #expect(!benchmark.tables.isEmpty)
      for table in benchmark.tables {
        for column in table.columns { #expect(run.output.contains(column)) }
        #expect(!table.rows.isEmpty)
        for row in table.rows {
          #expect(row.values.count == table.columns.count)
          #expect((row.values.first.flatMap { $0 } ?? 0) > 0, "\(benchmark.name), \(table.title), \(row.label)")
        }
      }
    }

    let chart = try ToolRun(["chart", folder["report.json"]], of: "benchmarks")
    #expect(chart.end == .exited(0))
    #expect(chart.output.hasPrefix("<svg ") && chart.output.hasSuffix("</svg>\n"))
    // The first sync is compared, so it has a bar for everyone.
    #expect(chart.output.contains(">A: "))
    for peer in ["ours", "SQLite", "LMDB"] { #expect(chart.output.contains(">\(peer)</text>")) }

    // The same times with ten times the rows: every curve of the chart of both is a level line between two marks.
    let text = try String(contentsOfFile: folder["report.json"], encoding: .utf8)
    let larger = text.replacingOccurrences(of: "\"rowCount\" : 200", with: "\"rowCount\" : 2000")
    try larger.write(toFile: folder["larger.json"], atomically: true, encoding: .utf8)
    let growth = try ToolRun(["chart", folder["larger.json"], folder["report.json"]], of: "benchmarks")
    #expect(growth.end == .exited(0))
    #expect(growth.output.contains(">A: ") && growth.output.contains(">2000</text>"))
    let curves = growth.output.components(separatedBy: "<polyline points=\"").dropFirst().map {
      $0.prefix { $0 != "\"" }.split(separator: " ").map { $0.split(separator: ",") }
    }
    #expect(curves.count >= 3)
    for curve in curves { #expect(curve.count == 2 && curve[0][0] != curve[1][0] && curve[0][1] == curve[1][1]) }
  }

  /// The cases of the tracker judge answers by a workload, so what that says decides whether they mean anything.
  @Test func workloadsAreTheSameEveryTimeAndWrongAnswersFail() throws {
    let folder = try TemporaryFolder()
    let files = ["first/users.json", "first/projects.json", "first/tasks.json", "second/tasks.json", "upserts.ndjson"]
    for name in ["one", "two"] {
      #expect(try ToolRun(["make-workload", folder[name], "200"], of: "benchmarks").end == .exited(0))
    }
    for file in files {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: folder["one/\(file)"]))
      #expect(bytes.count > 100)
      #expect(try bytes == Data(contentsOf: URL(fileURLWithPath: folder["two/\(file)"])), "\(file)")
    }

    let turn = ["take-turn", "A", "LMDB", folder["one"]]
    #expect(try ToolRun(turn + [folder["right"]], of: "benchmarks").end == .exited(0))
    // The first payload without one of its tasks.
    let tasks = folder["one/first/tasks.json"]
    var text = try String(contentsOfFile: tasks, encoding: .utf8)
    let last = try #require(text.range(of: ",{", options: .backwards))
    text.replaceSubrange(last.lowerBound..., with: "]")
    try text.write(toFile: tasks, atomically: true, encoding: .utf8)
    let wrong = try ToolRun(turn + [folder["wrong"]], of: "benchmarks")
    #expect(wrong.end == .exited(1))
    #expect(wrong.messages.hasPrefix("benchmarks: Case A, LMDB: rows and links are "))
  }

  static let mistakes: [(line: [String], message: String)] = [
    ([], "A command is missing."),
    (["fly"], "There is no command 'fly'."),
    (["run", "--fast", "1"], "There is no option '--fast' here."),
    (["list", "--case", "commit"], "There is no option '--case' here."),
    (["run", "--case", "flight"], "There is no case 'flight'; 'benchmarks list' shows all."),
    (["chart"], "The file with a report is missing."),
    (["run", "--rows"], "The option '--rows' needs a value."),
    (["run", "--rounds", "0"], "The option '--rounds' expects a number from 1, not '0'."),
  ]

  @Test(arguments: mistakes.indices) func mistakesAreExplained(_ index: Int) throws {
    let (line, message) = Self.mistakes[index]
    let run = try ToolRun(line, of: "benchmarks")
    #expect(run.end == .exited(64))
    #expect(run.output == "")
    #expect(run.messages.hasPrefix("benchmarks: \(message)\nusage: benchmarks list\n"))
  }
}
