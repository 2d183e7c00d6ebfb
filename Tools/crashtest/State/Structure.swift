import KeyValueStore

/// The store's own check of its pages, its log and its checkpoints.
enum Structure {
  /// Throws a `Finding` if something is wrong in an open store.
  static func verify(_ environment: Environment) throws {
    try judge(try environment.verify())
  }

  /// Throws a `Finding` if something is wrong in a store that nobody has open.
  static func verify(at path: String) throws {
    try judge(try Environment.verify(at: path))
  }

  private static func judge(_ report: VerificationReport) throws {
    guard let problem = report.problems.first else { return }
    let count = report.problems.count + report.problemsBeyond
    throw Finding("the store's own check finds \(count) problems: \(problem)")
  }
}
