/// A named piece of work that is measured, ours beside that of the rivals.
protocol BenchmarkCase: Sendable {
  var name: String { get }
  /// One line that says what is measured.
  var summary: String { get }
  /// Why the case can't run as things are; nil when it can.
  func obstacle(_ settings: Settings) -> String?
  func run(_ settings: Settings) async throws -> CaseReport
}

extension BenchmarkCase {
  func obstacle(_ settings: Settings) -> String? { nil }
}

/// All cases, in the order in which they are listed and run.
enum BenchmarkCases {
  static let all: [any BenchmarkCase] =
    TrackerCase.all + [
      CommitCase(), ConcurrentCommitCase(taskCount: 8, target: 2.5), ConcurrentCommitCase(taskCount: 64, target: 5),
      RelaxedCommitCase(), CommitLatencyCase(), RecoveryCase(), GrowthCase(), ReadAfterWriteCase(),
      ReadWhileWritingCase(), RecordsCommitCase(), ObjectsCase(), LiveQueryCase(), MembersCase(), WeekCase(),
      ParseCase(), ScenariosCase(), SyncCase(),
    ]

  static func named(_ name: String) -> (any BenchmarkCase)? {
    all.first { $0.name == name }
  }
}
