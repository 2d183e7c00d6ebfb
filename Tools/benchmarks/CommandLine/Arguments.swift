/// What the command line asks for.
struct Arguments {
  enum Command {
    case list
    case run
    /// Draws what is in a report, or how the times of several with different numbers of rows grow.
    case chart(reports: [String])
  }

  var command: Command
  var settings = Settings()
  /// The cases that were named; all if none was.
  var cases: [any BenchmarkCase] = []
  /// Where the report goes as JSON.
  var jsonFile: String?

  static let usage = """
    usage: benchmarks list
           benchmarks run [--case NAME]… [--rows N] [--rounds N] [--turn MILLISECONDS] [--peer NAME]… [--repeat N]
                          [--folder FOLDER] [--payload FOLDER]… [--json FILE]
           benchmarks chart FILE…
    """

  init(_ arguments: [String]) throws(UsageError) {
    guard let word = arguments.first else { throw .noCommand }
    var rest = arguments.dropFirst()
    var allowed: Set<String> = []
    switch word {
    case "list": command = .list
    case "run":
      command = .run
      allowed = Self.options
    case "chart":
      guard !rest.isEmpty else { throw .missingFile }
      command = .chart(reports: Array(rest))
      rest = []
    default: throw .unknownCommand(word)
    }
    while let option = rest.popFirst() {
      guard allowed.contains(option) else { throw .unknownOption(option) }
      guard let value = rest.popFirst() else { throw .missingValue(option: option) }
      try set(option, to: value)
    }
  }

  private static let options: Set = [
    "--case", "--rows", "--rounds", "--turn", "--peer", "--repeat", "--folder", "--payload", "--json",
  ]

  private mutating func set(_ option: String, to value: String) throws(UsageError) {
    switch option {
    case "--case":
      guard let named = BenchmarkCases.named(value) else { throw .unknownCase(value) }
      cases.append(named)
    case "--rows": settings.rowCount = try Self.number(value, for: option)
    case "--rounds": settings.roundsAsked = try Self.number(value, for: option)
    case "--turn": settings.turnMilliseconds = try Self.number(value, for: option)
    case "--peer": settings.peers.append(value)
    case "--repeat": settings.repetitions = try Self.number(value, for: option)
    case "--folder": settings.folder = value
    case "--payload": settings.payloads.append(value)
    default: jsonFile = value
    }
  }

  private static func number(_ text: String, for option: String) throws(UsageError) -> Int {
    guard let number = Int(text), number > 0 else { throw .notANumber(option: option, text: text) }
    return number
  }
}
