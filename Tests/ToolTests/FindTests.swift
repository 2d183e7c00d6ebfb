import TestSupport
import Testing

/// Rows that are asked for: by their identity, and by predicates.
@Suite struct FindTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try TrackerStore.make(at: folder["s"])
  }

  private func run(_ command: String, _ arguments: String...) throws -> ToolRun {
    try ToolRun([command, folder["s"]] + arguments)
  }

  /// The output's lines of JSON without what all rows begin with.
  private func lines(_ run: ToolRun) -> [String] { run.output.split(separator: "\n").map(String.init) }

  @Test(
    "Predicates, orders and fields",
    arguments: [
      (["Task"], [#""title":"Second""#, #""title":"First""#]),
      (["Task", "isDone == NO"], [#""title":"Second""#]),
      (["Task", "project.title CONTAINS[c] 'WEB' AND priority < 0"], [#""title":"First""#]),
      (["Task", "ANY reviewers.name BEGINSWITH 'Ž'"], [#""title":"First""#]),
      (["Task", "due > '2023-11-14'"], [#""title":"First""#]),
      (["Task", "views == 18446744073709551615"], [#""title":"First""#]),
      (["Task", "", "--sort", "title"], nil),
      (["Task", "TRUEPREDICATE", "--sort", "title"], [#""title":"First""#, #""title":"Second""#]),
      (["Task", "--sort=-title", "--limit", "1"], [#""title":"Second""#]),
      (["Task", "--sort", "-title", "--offset=1"], [#""title":"First""#]),
      (["Task", "reviewers.@count > 1"], [#""title":"First""#]),
      (["Label", "id == 'bug'"], [#""id":"bug""#, #""id":"bug""#]),
      (["Label", "id == nil"], [#""id":null"#]),
      (["Task", "FALSEPREDICATE"], []),
    ] as [([String], [String]?)])
  func predicates(_ arguments: [String], _ expected: [String]?) throws {
    let run = try ToolRun(["find", folder["s"]] + arguments + ["--format", "ndjson"])
    guard let expected else {
      #expect(run.end == .exited(1) && run.output.isEmpty)
      return
    }
    #expect(run.end == .exited(0) && run.messages == "")
    let lines = lines(run)
    #expect(lines.count == expected.count, "\(run)")
    for (line, part) in zip(lines, expected) { #expect(line.contains(part)) }
    let count = try ToolRun(["find", folder["s"]] + arguments + ["--count"])
    #expect(count.output == "\(expected.count)\n")
  }

  @Test func formsAreThoseOfADump() throws {
    let dump = try ToolRun("dump", folder["s"], "--entity", "Task")
    #expect(try run("find", "Task") == dump)
    let lines = try ToolRun("dump", folder["s"], "--entity", "Task", "--format", "ndjson")
    #expect(try run("find", "Task", "--format", "ndjson") == lines)
    let array = try run("find", "Label", "id == 'idea'", "--format", "json")
    #expect(array.output == "[\n{\"$entity\":\"Label\",\"$row\":4,\"id\":\"idea\"}]\n")
    #expect(try run("find", "Label", "id == 'x'", "--format", "json").output == "[]\n")
    let fields = try run("find", "Task", "--fields", "project,title", "--limit", "1", "--format", "ndjson")
    #expect(fields.output == "{\"$entity\":\"Task\",\"$row\":1,\"project\":\"site\",\"title\":\"Second\"}\n")
  }

  @Test func plansAreExplained() throws {
    let byIndex = try run("find", "Project", "id == 'site'", "--explain")
    #expect(byIndex.output.contains("by the unique index on id"))
    #expect(byIndex.output.hasSuffix("looks at: 1 of 1 rows\nfinds: 1\n"))
    let scan = try run("find", "User", "name CONTAINS 'a'", "--sort", "name", "--explain")
    #expect(scan.output.contains("by a scan of all"))
    #expect(scan.output.hasSuffix("looks at: 3 of 3 rows\nfinds: 2\n"))
    #expect(try run("find", "User", "--explain", "--count").end == .exited(0))
  }

  @Test(
    "What makes no sense is said in one sentence",
    arguments: [
      (["Nope"], "There is no entity 'Nope'; there are Project, User, Task, Note, Label."),
      (["Task", "nope == 1"], "nope"), (["Task", "title ="], "At character 7 of the predicate"),
      (["Task", "title == %@"], "%@"),
      (["Task", "title > 5"], "title > 5"), (["Task", "--sort", "reviewers.name"], "reviewers.name"),
      (["Task", "--fields", "title,nope"], "Task has no nope; it has id, title,"),
      (["Task", "settings == 1"], "settings"), (["Task", ""], "At character 0 of the predicate"),
    ] as [([String], String)])
  func mistakes(_ arguments: [String], _ message: String) throws {
    let run = try ToolRun(["find", folder["s"]] + arguments)
    #expect(run.end == .exited(1) && run.output.isEmpty)
    #expect(run.messages.contains(message), "\(run.messages)")
    #expect(run.messages.split(separator: "\n").count == 1)
  }

  @Test func rowsAreFoundByIdentity() throws {
    let task = TrackerStore.tasks[1].uuidString
    for text in [task, task.lowercased()] {
      #expect(try run("get", "Task", text).output.hasPrefix("Task row 1\n  id         \(task)\n"))
    }
    #expect(try run("get", "User", "--", "-3").output.contains("Grace"))
    #expect(try run("get", "Note", "--row", "2", "--format", "ndjson").output.contains("\"$row\":2"))
    let failures: [([String], String)] = [
      (["User", "4"], "There is no User with the id '4'."),
      (["User", "4x"], "There is no User with the id '4x': it is of the type int64."),
      (["Note", "1"], "Rows of Note have no identity; name one by its number: --row 1."),
      (["Note", "--row", "9"], "There is no row 9 of Note."),
      (["Label", "bug"], "2 rows of Label have the identity 'bug'; name one by its number: --row 1, 2."),
      (["Nope", "1"], "There is no entity 'Nope'; there are Project, User, Task, Note, Label."),
      (["Project", "site", "--follow", "id"], "Project has no id; it has tasks."),
    ]
    for (arguments, message) in failures {
      let run = try ToolRun(["get", folder["s"]] + arguments)
      #expect(run.end == .exited(1) && run.messages == "swiftsync: \(message)\n", "\(run)")
    }
    #expect(try run("get", "User").end == .exited(64))
    #expect(try run("get", "User", "7", "--row", "1").end == .exited(64))
  }

  @Test func relationshipsAreFollowed() throws {
    let followed = try run("get", "Project", "site", "--follow", "tasks.reviewers", "--format", "ndjson")
    let starts = lines(followed).map { $0.prefix { $0 != "," } + ($0.contains("\"$row\":1,") ? " 1" : "") }
    #expect(
      starts == [
        "{\"$entity\":\"Project\" 1", "{\"$entity\":\"Task\"", "{\"$entity\":\"Task\" 1", "{\"$entity\":\"User\"",
        "{\"$entity\":\"User\" 1",
      ])
    let upwards = try run("get", "Task", TrackerStore.tasks[0].uuidString, "--follow", "parent.project")
    #expect(upwards.output.contains("\nTask row 1\n") && upwards.output.contains("\nProject row 1\n"))
  }
}
