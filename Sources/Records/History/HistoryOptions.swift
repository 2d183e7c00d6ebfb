import FoundationEssentials

/// How a store writes its history.
package struct HistoryOptions: Sendable {
  package var policy: HistoryPolicy
  /// The name of the program, which each transaction carries.
  package var writer: String
  /// Says what time it is, for the transactions and their age.
  package var clock: @Sendable () -> Date

  package init(
    _ policy: HistoryPolicy = .standard, writer: String = ProcessInfo.processInfo.processName,
    clock: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.policy = policy
    self.writer = writer
    self.clock = clock
  }
}
