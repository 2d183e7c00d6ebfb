import KeyValueStore

/// The store's own check of its pages, its log and its checkpoints.
enum Structure {
  /// Throws a `Finding` if something is wrong in an open store.
  ///
  /// With `allowsGaps` a checkpoint's record may be missing between others: the sync of one has failed, so that it was in
  /// the system's cache only.
  static func verify(_ environment: Environment, allowsGaps: Bool = false) throws {
    try judge(try environment.verify(), allowsGaps)
  }

  /// Throws a `Finding` if something is wrong in a store that nobody has open.
  static func verify(at path: String, allowsGaps: Bool = false) throws {
    try judge(try Environment.verify(at: path), allowsGaps)
  }

  private static func judge(_ report: VerificationReport, _ allowsGaps: Bool) throws {
    let problem = report.problems.first { problem in
      if allowsGaps, case .file(name: "checkpoint", _) = problem { return false }
      return true
    }
    guard let problem else { return }
    let count = report.problems.count + report.problemsBeyond
    throw Finding("the store's own check finds \(count) problems: \(problem)")
  }
}
