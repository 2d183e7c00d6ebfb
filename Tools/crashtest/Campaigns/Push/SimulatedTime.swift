import Foundation
import Synchronization

/// The time in a simulation: it goes on only when it is told to.
final class SimulatedTime: Sendable {
  /// 2025-06-01T12:00:00Z, in milliseconds.
  private let milliseconds = Mutex(1_748_779_200_000)

  func advance(milliseconds step: Int) { milliseconds.withLock { $0 += step } }

  /// What a clock shows that is ahead by so much.
  func shown(ahead: Int) -> Date {
    Date(timeIntervalSince1970: Double(milliseconds.withLock { $0 } + ahead) / 1000)
  }
}
