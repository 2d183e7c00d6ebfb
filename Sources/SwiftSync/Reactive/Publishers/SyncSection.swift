/// Rows that agree in what a list is divided by.
public struct SyncSection<ID: Hashable, Model: PersistentModel>: Identifiable {
  /// What they agree in.
  public let id: ID
  /// The objects, in order.
  public let rows: [Model]
}

extension SyncSection {
  /// The sections of some rows, in the order in which their first rows come.
  static func sections(of rows: [Model], by id: KeyPath<Model, ID>) -> [SyncSection] {
    var order: [ID] = []
    var members: [ID: [Model]] = [:]
    for row in rows {
      let value = row[keyPath: id]
      if members[value] == nil { order.append(value) }
      members[value, default: []].append(row)
    }
    return order.map { SyncSection(id: $0, rows: members[$0] ?? []) }
  }
}
