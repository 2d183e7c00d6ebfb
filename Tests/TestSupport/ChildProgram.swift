import FoundationEssentials
import Glibc

/// A program that runs as a process of its own. Foundation's `Process` is not used: in a process with many threads it crashes now and
/// then while it starts a program.
package struct ChildProgram: Sendable {
  /// How a program has ended.
  package enum End: Equatable, Sendable {
    case exited(Int32)
    case killed(signal: Int32)
  }

  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  package let id: pid_t

  /// The path of a program of this package: programs are built into the folder that the tests are built into.
  package static func built(_ name: String) throws -> String {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let path = URL(filePath: tests).deletingLastPathComponent().appending(path: name).path
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw Failure(description: "There is no program at \(path).")
    }
    return path
  }

  /// Starts a program with nothing to read, and standard output and standard error going to files; to one if no other is named.
  package init(
    _ executable: String, _ arguments: [String], output: String, messages: String? = nil,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT, 0o600)
    if let messages {
      posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, messages, O_WRONLY | O_CREAT, 0o600)
    } else {
      posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
    }
    var words: [UnsafeMutablePointer<CChar>?] = ([executable] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for variable in variables { free(variable) } }
    var id: pid_t = 0
    let code = posix_spawn(&id, executable, &actions, nil, &words, &variables)
    guard code == 0 else { throw Failure(description: "\(executable) could not be started: error \(code).") }
    self.id = id
  }

  /// Whether the program has ended, so that `wait` won't.
  package func hasEnded() throws -> Bool {
    var information = siginfo_t()
    while waitid(P_PID, id_t(id), &information, WEXITED | WNOHANG | WNOWAIT) != 0 {
      guard errno == EINTR else { throw Failure(description: "Process \(id) could not be looked at: error \(errno).") }
    }
    // Left as it was if it hasn't.
    return information.si_signo == SIGCHLD
  }

  /// Waits until the program has ended. To be called once.
  package func wait() throws -> End {
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0 {
      guard errno == EINTR else { throw Failure(description: "Process \(id) could not be waited for: error \(errno).") }
    }
    let signal = status & 0x7F
    return signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(signal: signal)
  }
}
