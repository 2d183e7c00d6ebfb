import Glibc
import Synchronization

/// Ends a command between two rows when the user interrupts it.
///
/// A process that simply dies leaves its snapshot registered in the store, and the application that writes the store cannot
/// use the space again that the snapshot held. So a signal is noted, and the command gives its snapshot back before it ends.
enum Interruption {
  /// The signals that are meant to end a program.
  static let signals = [SIGHUP, SIGINT, SIGQUIT, SIGTERM]

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

/// A signal asked the process to end.
struct Interrupted: Error, Equatable {
  let signal: Int32
}
