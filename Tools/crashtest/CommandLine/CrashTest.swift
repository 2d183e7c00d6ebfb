import Glibc

/// The command-line tool `crashtest`: breaks stores in every way that a store must survive, and looks whether it has.
package enum CrashTest {
  /// Runs the command that the process was started with, and ends the process.
  @MainActor package static func main() async -> Never {
    do {
      exit(try await run(Array(CommandLine.arguments.dropFirst())))
    } catch let error as UsageError {
      fail("\(error)\n\n\(HelpText.text)", code: 2)
    } catch {
      fail("\(error)", code: 1)
    }
  }

  private static func fail(_ message: String, code: Int32) -> Never {
    Output.message(message)
    exit(code)
  }

  @MainActor private static func run(_ words: [String]) async throws -> Int32 {
    if words.isEmpty || words.contains("--help") {
      Output.line(HelpText.text)
      return 0
    }
    if let role = ChildRole(words) {
      try role.run()
      return 0
    }
    let line = try CommandLineWords(words)
    if let scratch = line.workerScratch {
      try await Worker.run(line.campaign.make(line.options), line.options, scratch: Scratch(folder: scratch))
      return 0
    }
    if let folder = line.replay { return try replay(folder, line) }
    if line.testsVariants { return try VariantSurvey(line).run() }
    let tally = try line.pool().run()
    for line in tally.lines { Output.line(line) }
    return tally.failed == 0 ? 0 : 1
  }

  private static func replay(_ folder: String, _ line: CommandLineWords) throws -> Int32 {
    let root = Scratch.root()
    defer { Folder.remove(root) }
    do {
      let setup = line.options.variant?.setup(of: StoreSetup()) ?? StoreSetup()
      try Crash.replay(folder, at: "\(root)/image", setup)
      Output.line("1 passed, 0 failed")
      return 0
    } catch let finding as Finding {
      Output.line("failed: \(finding)\n0 passed, 1 failed")
      return 1
    }
  }
}
