import Glibc
import Synchronization

/// This same program, started with other arguments, whose standard output is read here.
final class ChildProcess: Sendable {
  enum End: Equatable {
    case exited(Int32)
    case killed(signal: Int32)
  }

  /// Held while a process is started: another one that is started at that moment would inherit the pipes, and keep them
  /// open when everybody else has closed them.
  private static let isStarting = Mutex(())

  let id: pid_t
  /// The end of a pipe from its standard output.
  let output: Int32
  /// The end of a pipe to its standard input; negative once it is closed.
  private let input: Atomic<Int32>
  private let isOver = Atomic(false)

  /// Starts it. Its standard error goes to the file `messages`.
  init(_ arguments: [String], messages: String) throws {
    let (id, output, input) = try Self.isStarting.withLock { _ in
      let fromChild = try Self.pipe()
      let toChild = try Self.pipe()
      defer {
        Glibc.close(fromChild.writing)
        Glibc.close(toChild.reading)
      }
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      posix_spawn_file_actions_adddup2(&actions, toChild.reading, STDIN_FILENO)
      posix_spawn_file_actions_adddup2(&actions, fromChild.writing, STDOUT_FILENO)
      posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, messages, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
      return (try Self.spawn(arguments, &actions), fromChild.reading, toChild.writing)
    }
    self.id = id
    self.output = output
    self.input = Atomic(input)
  }

  private static func spawn(
    _ arguments: [String], _ actions: inout posix_spawn_file_actions_t
  ) throws -> pid_t {
    var pointers: [UnsafeMutablePointer<CChar>?] = (["crashtest"] + arguments).map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    // The variables of the environment are not handed on: nothing here depends on any.
    var variables: [UnsafeMutablePointer<CChar>?] = [nil]
    var id: pid_t = 0
    let code = posix_spawn(&id, "/proc/self/exe", &actions, nil, &pointers, &variables)
    guard code == 0 else { throw HarnessError("the process can't be started: error \(code)") }
    return id
  }

  private static func pipe() throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [0, 0]
    guard Glibc.pipe(&ends) == 0 else { throw HarnessError("no pipe can be made: error \(errno)") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  deinit {
    Glibc.close(output)
    closeInput()
  }

  /// Ends its standard input.
  func closeInput() {
    let descriptor = input.exchange(-1, ordering: .relaxed)
    if descriptor >= 0 { close(descriptor) }
  }

  /// Kills it, unless its end was waited for: then its number may be another process's.
  func kill() {
    if !hasEnded { Glibc.kill(id, SIGKILL) }
  }

  /// Whether its end was waited for.
  var hasEnded: Bool { isOver.load(ordering: .relaxed) }

  /// Waits until it has ended.
  func wait() -> End {
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    isOver.store(true, ordering: .relaxed)
    // The macros of `sys/wait.h`: the low seven bits are the signal, the next byte is the exit code.
    let signal = status & 0x7F
    return signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(signal: signal)
  }

  /// The last words that a process has left in a file.
  static func words(in messages: String) throws -> String {
    try String(decoding: Folder.bytes(of: messages).suffix(500), as: UTF8.self)
  }
}
