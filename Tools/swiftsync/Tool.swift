import Glibc

/// The command-line tool `swiftsync`: looks into stores, whatever application wrote them, and syncs payloads into them.
///
/// It is a library with a program of one line beside it, because tests can import a library.
package enum Tool {
  static let version = "0.1.0"

  /// Every command, in the order in which the help lists them.
  static let commands: [any Command.Type] = [
    InfoCommand.self, SchemaCommand.self, StatCommand.self, GetCommand.self, FindCommand.self, DumpCommand.self,
    ExportCommand.self, ImportCommand.self, DiffCommand.self, SyncCommand.self, VerifyCommand.self, RecoverCommand.self,
    RepairCommand.self,
    BackupCommand.self,
    CompactCommand.self, LogCommand.self, HistoryCommand.self, WatchCommand.self, ReadersCommand.self,
    BrowseCommand.self, CompletionsCommand.self, ManualCommand.self,
  ]

  /// Runs the command that the process was started with, and ends the process.
  ///
  /// - Parameter words: The words of the line behind the name of the tool.
  package static func main(_ words: [String] = Array(CommandLine.arguments.dropFirst())) -> Never {
    // A closed pipe is reported by `write`, which the output handles.
    signal(SIGPIPE, SIG_IGN)
    exit(run(words).rawValue)
  }

  private static func run(_ words: [String]) -> ExitStatus {
    let isChild = Supervisor.isChild
    let messages = isChild ? Supervisor.prepareChild() : STDERR_FILENO
    let output = StandardOutput()
    do {
      switch try Invocation(words) {
      case .print(let text):
        try output.write(text)
      case .run(let command):
        if !isChild, !command.stores.isEmpty { return try Supervisor.run(command) }
        try command.run(output: output)
      }
      try output.flush()
      return .success
    } catch OutputError.readerGone {
      // Whoever read the output has seen enough.
      return .success
    } catch let interrupted as Interrupted {
      Interruption.endProcess(by: interrupted.signal)
      return .problem
    } catch let error as UsageError {
      Messages.write(error, to: messages)
      return .usage
    } catch {
      // What was read before the problem may be all that there is to have.
      try? output.flush()
      Messages.write("\(error)", to: messages)
      return .problem
    }
  }
}
