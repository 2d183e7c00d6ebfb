import Foundation

/// Measures the store and the libraries on it beside what else one could use. docs/benchmarks.md says how to read it.
@main
struct Benchmarks {
  static func main() async {
    do {
      if CommandLine.arguments.dropFirst().first == AbandonedStore.command {
        try AbandonedStore(Array(CommandLine.arguments.dropFirst(2)))?.make()
        fail("This command is for the program itself.", code: EX_USAGE)
      }
      if try await PeerChild.serve(Array(CommandLine.arguments.dropFirst())) { return }
      let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
      switch arguments.command {
      case .list: list()
      case .run: try await run(arguments)
      case .chart(let files):
        let reports = try files.map(Report.init(readFrom:))
        say(reports.count == 1 ? Chart(of: reports[0]).svg : GrowthChart(of: reports).svg)
      }
    } catch let error as UsageError {
      fail("\(error)\n\(Arguments.usage)", code: EX_USAGE)
    } catch {
      fail("\(error)", code: EXIT_FAILURE)
    }
  }

  private static func list() {
    let width = BenchmarkCases.all.map(\.name.count).max() ?? 0
    for benchmark in BenchmarkCases.all {
      say(benchmark.name.padding(toLength: width, withPad: " ", startingAt: 0) + "  " + benchmark.summary)
    }
  }

  private static func run(_ arguments: Arguments) async throws {
    let settings = arguments.settings
    var report = Report(machine: Machine(folder: settings.folder), settings: settings)
    for line in report.machine.lines { say(line) }
    say("\(settings.rowCount) rows" + (settings.repetitions == nil ? "" : ", in process \(getpid())"))
    if !report.machine.hasMedium {
      say("'\(settings.folder)' is in memory, where syncs cost nothing: name another with --folder.")
    }
    for benchmark in arguments.cases.isEmpty ? BenchmarkCases.all : arguments.cases {
      say("\n\(benchmark.name): \(benchmark.summary)")
      if let obstacle = benchmark.obstacle(settings) {
        say("left out: \(obstacle)")
        continue
      }
      let result = try await benchmark.run(settings)
      for table in result.tables { for line in table.lines { say(line) } }
      for note in result.notes { say(note) }
      for target in result.targets { say(target.line) }
      report.cases.append(result)
    }
    if let file = arguments.jsonFile { try report.write(to: file) }
  }

  /// A line of output, at once: runs are long, and their output is looked at meanwhile, in a file too.
  private static func say(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }

  private static func fail(_ message: String, code: Int32) -> Never {
    FileHandle.standardError.write(Data("benchmarks: \(message)\n".utf8))
    exit(code)
  }
}
