import Records

/// The order in which the changes of several models are sent, for servers that check references.
struct PushOrder {
  /// Places of models: those that others lead to first, and otherwise as they were given.
  private let order: [Int]
  private let batches: [PendingBatch]

  init(_ batches: [PendingBatch]) {
    self.batches = batches
    let entities = batches.map(\.model.entity)
    let parents = entities.map { entity in
      Set(entity.relationships.filter { !$0.isToMany && $0.destination != entity.id }.map(\.destination))
    }
    var order: [Int] = []
    var rest = Array(entities.indices)
    while let next = rest.first(where: { place in
      rest.allSatisfy { $0 == place || !parents[place].contains(entities[$0].id) }
    }) ?? rest.first {
      order.append(next)
      rest.removeAll { $0 == next }
    }
    self.order = order
  }

  /// Every row with the place of its batch: insertions and updates, of parents before those of children, and then deletions, of
  /// children before those of parents.
  var rows: [(batch: Int, place: Int)] {
    let written = order.flatMap { batch in writtenRows(of: batch).map { (batch, $0) } }
    let deleted = order.reversed().flatMap { batch in
      batches[batch].rows.indices.reversed().filter { batches[batch].rows[$0].kind == .delete }.map { (batch, $0) }
    }
    return written + deleted
  }

  /// Rows that are not deleted: as they were changed, except that new ones which others of the model lead to come before these.
  private func writtenRows(of batch: Int) -> [Int] {
    let rows = batches[batch].rows
    let entity = batches[batch].model.entity
    let fields = entity.relationships.filter { $0.destination == entity.id }.compactMap(\.field)
    let written = rows.indices.filter { rows[$0].kind != .delete }
    if fields.isEmpty { return written }
    let new = written.filter { rows[$0].kind == .insert }
    let places = Dictionary(new.map { (rows[$0].decisive.row, $0) }, uniquingKeysWith: { first, _ in first })
    var result: [Int] = []
    var seen: Set<Int> = []
    for first in written {
      // Without recursion, because a chain may be as long as there are rows.
      var chain: [Int] = []
      var next: Int? = first
      while let place = next, seen.insert(place).inserted {
        chain.append(place)
        next = fields.lazy.compactMap { field -> Int? in
          guard case .uint(let number)? = rows[place].record?.value(field) else { return nil }
          return places[RowNumber(rawValue: number)]
        }.first { !seen.contains($0) }
      }
      result += chain.reversed()
    }
    return result
  }
}
