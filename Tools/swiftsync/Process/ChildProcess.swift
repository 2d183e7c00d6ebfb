import Glibc

/// A child process that runs this same program with this same line.
struct ChildProcess {
  /// How a process ended.
  enum End: Equatable {
    case exited(Int32)
    case killed(signal: Int32)
  }

  let id: pid_t

  /// Starts the program again.
  ///
  /// The child has the parent's standard input and output. Its standard error is a file that the parent reads afterwards,
  /// because the last words of a dying runtime or C library are no message for a user; the parent's own standard error is
  /// `messagesDescriptor` there.
  ///
  /// - Throws: `ChildProcessError` when the system refuses.
  init(
    arguments: [String], environment: [String: String], standardError: Int32, messagesDescriptor: Int32
  ) throws(ChildProcessError) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, messagesDescriptor)
    posix_spawn_file_actions_adddup2(&actions, standardError, STDERR_FILENO)

    // The parent waits with signals blocked; the child starts with none.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var noSignals = sigset_t([])
    posix_spawnattr_setsigmask(&attributes, &noSignals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

    var argumentPointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var environmentPointers: [UnsafeMutablePointer<CChar>?] =
      environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for pointer in argumentPointers + environmentPointers { free(pointer) } }
    var id: pid_t = 0
    let code = posix_spawn(&id, "/proc/self/exe", &actions, &attributes, &argumentPointers, &environmentPointers)
    guard code == 0 else { throw ChildProcessError(errno: code) }
    self.id = id
  }

  /// How the child ended, or nil while it runs.
  func poll() -> End? {
    var status: Int32 = 0
    guard waitpid(id, &status, WNOHANG) == id else { return nil }
    // The macros of `sys/wait.h`: the low seven bits are the signal, the next byte is the exit code.
    let signal = status & 0x7F
    return signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(signal: signal)
  }

  func send(_ signal: Int32) {
    kill(id, signal)
  }
}

/// The child process could not be started.
struct ChildProcessError: Error, Equatable, CustomStringConvertible {
  let errno: Int32

  var description: String {
    "The process that reads the store could not be started: \(String(cString: strerror(errno)))."
  }
}
