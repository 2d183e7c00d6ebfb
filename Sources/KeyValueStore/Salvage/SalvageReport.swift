/// What was read of a damaged store.
package struct SalvageReport: Sendable {
  /// How many entries each table has got.
  package var entries: [String: Int] = [:]
  /// What is wrong with the pages; nothing that they lead to could be read.
  package var problems: [StoreProblem] = []
  /// How many more there are.
  package var problemsBeyond = 0
  /// How many commits were taken from the log.
  package var commitsApplied = 0
  /// Why the log was not read, or not to its end; nil if it was.
  package var logProblem: String?
}
