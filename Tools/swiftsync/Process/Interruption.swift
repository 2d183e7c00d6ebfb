import Glibc
import Synchronization

/// Ends a command between two rows when the user interrupts it.
///
/// A process that simply dies leaves its snapshot registered in the store, and the application that writes the store cannot
/// use the space again that the snapshot held. So a signal is noted, and the command gives its snapshot back before it ends.
enum Interruption {
  /// The signals that are meant to end a program, without those that whoever started it wants ignored, as `nohup` does.
  static let signals = [SIGHUP, SIGINT, SIGQUIT, SIGTERM].filter { !isIgnored($0) }

  private static let received = Atomic<Int32>(0)

  /// From here on the signals are noted instead of ending the process.
  static func watch() {
    // Made before the first signal, because making it is nothing for a signal handler.
    received.store(0, ordering: .relaxed)
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { Interruption.received.store($0, ordering: .relaxed) }
    // Without SA_RESTART, so that a write that waits for a reader is interrupted too.
    for signal in signals { sigaction(signal, &action, nil) }
  }

  /// - Throws: `Interrupted` when there was a signal.
  static func check() throws(Interrupted) {
    let signal = received.load(ordering: .relaxed)
    if signal != 0 { throw Interrupted(signal: signal) }
  }

  /// Ends the process as the signal would have, so that a shell that runs it in a loop stops too.
  static func endProcess(by signal: Int32) {
    Glibc.signal(signal, SIG_DFL)
    var mask = sigset_t([signal])
    pthread_sigmask(SIG_UNBLOCK, &mask, nil)
    raise(signal)
  }
}

extension Interruption {
  private static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    sigaction(signal, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}

/// A signal asked the process to end.
struct Interrupted: Error, Equatable {
  let signal: Int32
}
