import CLMDB

extension Snapshot {
  /// Sizes and counts of a table. They are numbers that LMDB keeps, so they cost nothing to ask.
  public final func statistics(of table: Table) throws -> TableStatistics {
    let transaction = try usable(for: table)
    var numbers = MDB_stat()
    let code = mdb_stat(transaction, table.handle, &numbers)
    guard code == MDB_SUCCESS else {
      if code == MDB_NOTFOUND { return TableStatistics() }
      if code == Engine.unknownTable {
        try checkAbsence(of: table)
        return TableStatistics()
      }
      throw environment.engine.error(code, "Reading the size of the table '\(table.name)'")
    }
    return TableStatistics(
      entries: numbers.ms_entries, depth: Int(numbers.ms_depth), branchPages: numbers.ms_branch_pages,
      leafPages: numbers.ms_leaf_pages, overflowPages: numbers.ms_overflow_pages)
  }
}
