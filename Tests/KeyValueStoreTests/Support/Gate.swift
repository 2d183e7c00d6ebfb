import TestSupport

@testable import KeyValueStore

/// Holds threads up until the test lets them go on.
final class Gate: Sendable {
  private let monitor = Monitor((waiting: 0, isOpen: false))

  /// Blocks the thread until the gate is open.
  func pass() {
    monitor.withLock { $0.waiting += 1 }
    monitor.withLock(when: { $0.isOpen }) { _ in }
  }

  /// Lets everybody pass, now and later.
  func open() {
    monitor.withLock { $0.isOpen = true }
    monitor.wakeAll()
  }

  /// Returns when somebody has come to the gate.
  func someoneWaits() async {
    await OtherThread.wait { [monitor] in monitor.withLock { $0.waiting > 0 } }
  }
}

extension Environment {
  /// Returns when some writes wait for their turn. It needs no snapshot, which would wait for the body that holds them up.
  func someWritesWait(_ count: Int) async {
    await OtherThread.wait { [core] in (core.writer?.queue.count ?? count) >= count }
  }
}
