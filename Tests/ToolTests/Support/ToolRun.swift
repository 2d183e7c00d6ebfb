import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// A finished run of the tool.
struct ToolRun: Equatable {
  enum End: Equatable {
    case exited(Int32)
    case killed(signal: Int32)
  }

  var end: End
  var output: String
  var messages: String

  /// Runs the tool with its output and its messages going to files.
  init(_ arguments: String...) throws {
    try self.init(arguments)
  }

  init(_ arguments: [String], of program: String = "swiftsync") throws {
    let folder = try TemporaryFolder()
    let process = try ToolProcess(arguments, of: program, output: folder["output"], messages: folder["messages"])
    end = try process.wait()
    output = try ToolRun.text(at: folder["output"])
    messages = try ToolRun.text(at: folder["messages"])
  }

  init(end: End, output: String, messages: String) {
    self.end = end
    self.output = output
    self.messages = messages
  }

  static func text(at path: String) throws -> String {
    try String(decoding: Data(contentsOf: URL(filePath: path)), as: UTF8.self)
  }

  /// A run that did nothing but say one sentence.
  static func failure(_ exitCode: Int32, _ message: String) -> ToolRun {
    ToolRun(end: .exited(exitCode), output: "", messages: "swiftsync: \(message)\n")
  }
}

/// The tool while it runs.
struct ToolProcess {
  /// The programs are built into the folder that the tests are built into.
  static func executable(_ program: String) throws -> String {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let path = URL(filePath: tests).deletingLastPathComponent().appending(path: program).path
    try #require(FileManager.default.isExecutableFile(atPath: path), "There is no tool at \(path).")
    return path
  }

  let id: pid_t

  /// Starts the tool with standard output and standard error going to these paths.
  init(_ arguments: [String], of program: String = "swiftsync", output: String, messages: String) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT, 0o600)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, messages, O_WRONLY | O_CREAT, 0o600)
    let executable = try ToolProcess.executable(program)
    var pointers: [UnsafeMutablePointer<CChar>?] = ([executable] + arguments).map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    var environment: [UnsafeMutablePointer<CChar>?] =
      ProcessInfo.processInfo.environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for pointer in environment { free(pointer) } }
    var id: pid_t = 0
    let code = posix_spawn(&id, executable, &actions, nil, &pointers, &environment)
    try #require(code == 0, "The tool could not be started: error \(code).")
    self.id = id
  }

  func wait() throws -> ToolRun.End {
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0 {
      try #require(errno == EINTR, "The tool could not be waited for: error \(errno).")
    }
    let signal = status & 0x7F
    return signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(signal: signal)
  }
}
