import FoundationEssentials

/// How a store writes its history.
package struct HistoryOptions: Sendable {
  package var policy: HistoryPolicy
  /// The name of the program, which each transaction carries. Found out when the first one is written: it takes as long as a part of
  /// opening a store.
  package var writer: String {
    get { givenWriter ?? ProcessInfo.processInfo.processName }
    set { givenWriter = newValue }
  }
  private var givenWriter: String?
  /// Says what time it is, for the transactions and their age.
  package var clock: @Sendable () -> Date

  package init(
    _ policy: HistoryPolicy = .standard, writer: String? = nil,
    clock: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.policy = policy
    givenWriter = writer
    self.clock = clock
  }
}
