import KeyValueStore

/// Copies a store that is in use, and returns what is wrong with the copy.
func backUp(_ environment: Environment, to folder: String) throws -> [String] {
  try environment.backup(to: folder)
  let report = try Environment.verify(at: folder) { progress in
    // Throwing here would end it.
    print("\(progress.pagesRead) of \(progress.pagesTotal) pages")
  }
  for note in report.notes { print(note) }
  return report.problems.map(\.description)
}
