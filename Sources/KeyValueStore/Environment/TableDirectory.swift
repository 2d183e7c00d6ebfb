import CLMDB

/// The tables of an open store, by name.
///
/// All tables that exist when a store is opened are opened with it, so a table is found without a transaction. Names are
/// compared by their bytes, as LMDB does, and not as strings, of which two can be equal in different spellings.
final class TableDirectory: Sendable {
  private let monitor: Monitor<[[UInt8]: Table]>

  init(_ tables: [Table]) {
    monitor = Monitor([:])
    add(tables)
  }

  subscript(name: String) -> Table? {
    monitor.withLock { $0[Array(name.utf8)] }
  }

  func add(_ tables: [Table]) {
    monitor.withLock { known in
      for table in tables { known[Array(table.name.utf8)] = table }
    }
  }

  /// Looks a name up, and asks `open` for it if it isn't known: one caller at a time, as LMDB demands of opening.
  func find(_ name: String, open: () throws -> Table?) throws -> Table? {
    try monitor.withLock { known in
      if let table = known[Array(name.utf8)] { return table }
      let table = try open()
      known[Array(name.utf8)] = table
      return table
    }
  }
}

extension EnvironmentCore {
  /// Finds a table; nil when there is none.
  func table(_ name: String) throws -> Table? {
    // The writing process is the only one that creates tables, so it knows them all.
    if isWritable { return tables[name] }
    if let table = tables[name] { return table }
    let (place, transaction) = try beginSnapshot()
    defer { endSnapshot(place) }
    return try tables.find(name) {
      guard let handle = try engine.openTable(name, transaction) else { return nil }
      try engine.check(place.commit(), "Opening the table '\(name)'")
      return Table(name: name, handle: handle, opening: opening)
    }
  }

  /// The names of all tables but the store's own.
  func tableNames() throws -> [String] {
    try read { snapshot in
      try engine.tableNames(snapshot.transaction, root: root)
    }
    .filter { !Table.isReserved($0) }
  }

  /// Finds tables, and creates those that are missing in one transaction.
  func createTables(_ names: [String]) throws -> [Table] {
    let missing = names.filter { tables[$0] == nil }
    if !missing.isEmpty {
      // LMDB keeps a handle only if its transaction commits, so it is made known after that.
      tables.add(try write(.full) { transaction in try missing.map { try transaction.createTable($0) } })
    }
    return try names.map { name in
      guard let table = tables[name] else { throw StoreError.noSuchTable(name: name) }
      return table
    }
  }
}
