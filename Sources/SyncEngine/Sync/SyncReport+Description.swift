extension SyncReport: CustomStringConvertible {
  /// One line that says how many rows of which entity were changed, and what could not be done as asked:
  /// `Task: 1 inserted, 2 updated; Project: 3 unchanged; 1 row skipped`.
  public var description: String {
    var parts = entities.keys.sorted().compactMap { name in
      entities[name].map { "\(name): \($0)" }
    }
    let duplicates = removedDuplicates.reduce(0) { $0 + $1.count }
    let details = [
      (skippedRows.count, "skipped row", "skipped rows"),
      (replacedValues.count, "replaced value", "replaced values"),
      (ignoredReferences.count, "ignored reference", "ignored references"),
      (duplicateKeys.count, "duplicate key", "duplicate keys"),
      (conflicts.count, "conflict", "conflicts"),
      (duplicates, "removed duplicate", "removed duplicates"),
      (omittedDetails, "omitted detail", "omitted details"),
    ]
    parts += details.compactMap { count, one, many in count == 0 ? nil : "\(count) \(count == 1 ? one : many)" }
    let text = parts.isEmpty ? "nothing to do" : parts.joined(separator: "; ")
    return isDryRun ? "dry run: \(text)" : text
  }
}

extension SyncReport.Counts: CustomStringConvertible {
  /// The counts that are not zero, as in `1 inserted, 7 unchanged`.
  public var description: String {
    let counts = [
      (inserted, "inserted"), (updated, "updated"), (deleted, "deleted"), (unchanged, "unchanged"), (linked, "linked"),
      (unlinked, "unlinked"),
    ]
    let parts = counts.compactMap { count, what in count == 0 ? nil : "\(count) \(what)" }
    return parts.isEmpty ? "no rows" : parts.joined(separator: ", ")
  }
}
