import Glibc

/// A line of the tool `swiftsync` that reads a store, and what it prints of the sound one.
struct ToolReading {
  /// What the line is called in a report: its words without the store.
  let name: String
  /// Whether an exit code of 0 promises that nothing is missing.
  let isWhole: Bool
  private let command: String
  private let rest: [String]
  /// Nil where the output is about the files, and so may be another one.
  private let expected: String?

  /// How a run of the line is judged.
  enum Judgement {
    case right, refused, wrong, failed

    var summary: String {
      switch self {
      case .right: "show what is there"
      case .refused: "say that something is wrong"
      case .wrong: "show something else"
      case .failed: "end as they never should"
      }
    }
  }

  /// All lines, with what they print of a store.
  static func all(of sound: String, messages: String) throws -> [ToolReading] {
    let shown: [(isWhole: Bool, words: [String])] = [
      (true, ["export"]), (true, ["dump", "--format", "ndjson"]), (true, ["dump", "--entity", "Item"]),
      (false, ["find", "Item", "--format", "ndjson"]),
      (false, ["find", "Item", "weight > 20 AND title CONTAINS '1'", "--sort=-weight,id", "--format", "json"]),
      (false, ["find", "Item", "folder.id == 3 AND ANY tags.id < 6", "--sort", "title"]),
      (false, ["find", "Item", "weight == nil", "--count"]), (false, ["find", "Tag", "items.@count > 5"]),
      (false, ["get", "Folder", "2", "--follow", "items.tags", "--format", "ndjson"]), (false, ["schema"]),
    ]
    let others = [
      ["info"], ["stat"], ["stat", "--format", "json"], ["log"], ["history"], ["readers"], ["verify"],
      ["recover", "--dry-run"],
    ]
    return try shown.map { isWhole, words in
      let run = try Run([words[0], sound] + words.dropFirst(), messages: messages)
      guard run.end == .exited(0), !run.output.isEmpty else {
        throw HarnessError("'\(words.joined(separator: " "))' fails with the sound store: \(run.text)")
      }
      return ToolReading(words, isWhole: isWhole, expected: run.output)
    } + others.map { ToolReading($0, isWhole: false, expected: nil) }
  }

  private init(_ words: [String], isWhole: Bool, expected: String?) {
    name = words.joined(separator: " ")
    command = words[0]
    rest = Array(words.dropFirst())
    self.isWhole = isWhole
    self.expected = expected
  }

  /// The line's words with a store.
  func words(_ store: String) -> [String] { [command, store] + rest }

  func judge(_ run: Run) -> Judgement {
    let messages = run.messages.split(separator: "\n")
    switch run.end {
    case .exited(0):
      guard messages.isEmpty else { return .failed }
      return expected == nil || run.output == expected ? .right : .wrong
    case .exited(1):
      return !messages.isEmpty && messages.allSatisfy { $0.hasPrefix("swiftsync: ") } ? .refused : .failed
    default:
      return .failed
    }
  }

  /// A finished run of the tool.
  struct Run {
    private static let patienceMilliseconds: Int32 = 30_000

    /// Nil if nothing came of it in time.
    let end: ChildProcess.End?
    let output: String
    let messages: String

    var text: String { "\(end.map { "\($0)" } ?? "it hangs") \(messages) \(output.prefix(200))" }

    init(_ words: [String], messages: String) throws {
      let process = try ChildProcess(ChildRole.tool(words).words, messages: messages)
      var lines = LineReader(process.output)
      var output = ""
      while let line = lines.next(waiting: Self.patienceMilliseconds) { output += "\(line)\n" }
      if lines.hasTimedOut { process.kill() }
      let end = process.wait()
      self.end = lines.hasTimedOut ? nil : end
      self.output = output
      self.messages = try String(decoding: Folder.bytes(of: messages), as: UTF8.self)
    }
  }
}
