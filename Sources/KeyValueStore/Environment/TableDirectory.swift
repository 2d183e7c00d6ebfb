import CLMDB

/// The tables of an open store, by name.
///
/// All tables that exist when a store is opened are opened with it, so a table is found without a transaction. Names are
/// compared by their bytes, as LMDB does, and not as strings, of which two can be equal in different spellings.
final class TableDirectory: Sendable {
  /// In the order of their names. A dictionary of types of its own would take the runtime longer to get ready than all look-ups of an
  /// opening take.
  private let monitor: Monitor<[Table]>

  init(_ tables: [Table]) {
    monitor = Monitor([])
    add(tables)
  }

  subscript(name: String) -> Table? {
    monitor.withLock { $0.place(of: name).table }
  }

  func add(_ tables: [Table]) {
    monitor.withLock { known in
      for table in tables { known.enter(table) }
    }
  }

  /// Looks a name up, and asks `open` for it if it isn't known: one caller at a time, as LMDB demands of opening.
  func find(_ name: String, open: () throws -> Table?) throws -> Table? {
    try monitor.withLock { known in
      if let table = known.place(of: name).table { return table }
      let table = try open()
      if let table { known.enter(table) }
      return table
    }
  }
}

extension [Table] {
  /// Where a table of a name is, or would be, and the table if it is there.
  fileprivate func place(of name: String) -> (index: Int, table: Table?) {
    let index = firstPlace(notBefore: { $0.name.utf8.lexicographicallyPrecedes(name.utf8) })
    let isThere = index < count && self[index].name.utf8.elementsEqual(name.utf8)
    return (index, isThere ? self[index] : nil)
  }

  /// Enters a table; one of the same name goes.
  fileprivate mutating func enter(_ table: Table) {
    let (index, known) = place(of: table.name)
    if known == nil { insert(table, at: index) } else { self[index] = table }
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
