import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// A finished run of the tool `crashtest`. It is a program of its own, because it replaces the C library's file calls.
struct CrashTestRun {
  let exitCode: Int32
  let output: String

  var lines: [Substring] { output.split(separator: "\n") }

  /// Runs the tool with the words of a line. What fails is kept in a folder that is gone after the run.
  init(_ line: String) throws {
    let folder = try TemporaryFolder()
    let words = line.split(separator: " ").map(String.init) + ["--failures", folder["failures"]]
    exitCode = try Self.run(words, output: folder["output"])
    output = try String(decoding: Data(contentsOf: URL(filePath: folder["output"])), as: UTF8.self)
  }

  /// The exit code; the signal's number, negative, if one has ended it.
  private static func run(_ words: [String], output: String) throws -> Int32 {
    // The tool is built into the folder that the tests are built into.
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let executable = URL(filePath: tests).deletingLastPathComponent().appending(path: "crashtest").path
    try #require(FileManager.default.isExecutableFile(atPath: executable), "There is no tool at \(executable).")
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT, 0o600)
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
    var pointers: [UnsafeMutablePointer<CChar>?] = ([executable] + words).map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    var variables: [UnsafeMutablePointer<CChar>?] = [nil]
    var id: pid_t = 0
    let code = posix_spawn(&id, executable, &actions, nil, &pointers, &variables)
    try #require(code == 0, "The tool could not be started: error \(code).")
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0 { try #require(errno == EINTR) }
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : -signal
  }
}
