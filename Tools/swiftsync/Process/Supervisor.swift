import FoundationEssentials
import Glibc

/// Runs a command in a child process, so that a damaged store cannot end the tool.
///
/// LMDB reads its pages through a memory map and trusts them. A truncated file ends the reading process with SIGBUS, a
/// damaged page with SIGSEGV or with an assertion of LMDB's. The child dies of it, and the parent says what happened.
enum Supervisor {
  /// Names the parent, by its process id, in the child's environment. A variable that some other process inherited names
  /// another parent and means nothing.
  private static let variable = "SWIFTSYNC_SUPERVISOR"
  private static let childMessagesDescriptor: Int32 = 3

  /// Where messages for whoever runs the tool go.
  static var messagesDescriptor: Int32 { isChild ? childMessagesDescriptor : STDERR_FILENO }

  /// Whether this process is the child.
  static var isChild: Bool {
    ProcessInfo.processInfo.environment[variable] == "\(getppid())"
  }

  /// Prepares the child, and returns the descriptor that its messages go to.
  static func prepareChild() -> Int32 {
    Interruption.watch()
    // Nothing that the child starts may hold the parent's standard error open.
    _ = fcntl(childMessagesDescriptor, F_SETFD, FD_CLOEXEC)
    // A dump of a process whose memory is mostly a mapped file is of no use to anybody.
    var limit = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    return childMessagesDescriptor
  }

  /// Notes what the child is about to do, for the case that it dies of it. Elsewhere it does nothing.
  static func noteActivity(_ activity: String) {
    if isChild { LastWords.note(activity: activity) }
  }

  /// Says something that does not end the command.
  static func tell(_ message: String) {
    Messages.write(message, to: messagesDescriptor)
  }

  /// Runs the same line in a child process and returns how the tool ends.
  ///
  /// - Throws: `ChildProcessError` when the child cannot be started.
  static func run(_ command: any Command) throws -> ExitStatus {
    let lastWords = LastWords()
    var environment = ProcessInfo.processInfo.environment
    environment[variable] = "\(getpid())"
    // Swift's own report of a crash takes seconds and is not for a user.
    if environment["SWIFT_BACKTRACE"] == nil { environment["SWIFT_BACKTRACE"] = "enable=no" }

    // Who ignores this signal is not told when a child ends, and whoever started the tool may have made it so.
    signal(SIGCHLD, SIG_DFL)
    // Blocked from before the start, so that none is missed.
    var signals = sigset_t(Interruption.signals + [SIGCHLD])
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let child = try ChildProcess(
      arguments: CommandLine.arguments, environment: environment, standardError: lastWords.descriptor,
      messagesDescriptor: childMessagesDescriptor)

    while true {
      switch child.poll() {
      case .exited(let code):
        return ExitStatus(rawValue: code) ?? .problem
      case .killed(let signal) where Interruption.signals.contains(signal):
        Interruption.endProcess(by: signal)
        return .problem
      case .killed(let signal):
        ProgressLine.clearLeftover()
        let stores = command.stores.map { "'\($0)'" }.joined(separator: ", ")
        Messages.write(sentence(stores: stores, signal: signal, lastWords), to: STDERR_FILENO)
        return .problem
      case nil:
        var signal: Int32 = 0
        guard sigwait(&signals, &signal) == 0, signal != SIGCHLD else { continue }
        // The terminal has sent it to the child too, but `kill` has not.
        child.send(signal)
      }
    }
  }

  static func sentence(stores: String, signal: Int32, _ lastWords: LastWords) -> String {
    let name = SignalName.of(signal)
    let activity = lastWords.activity ?? "reading it"
    switch signal {
    case SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP:
      let detail = lastWords.message.map { " (\($0))" } ?? ""
      return "The store \(stores) is damaged: \(activity) ended with \(name)\(detail)."
    default:
      return "Reading the store \(stores) was stopped by \(name)."
    }
  }
}
