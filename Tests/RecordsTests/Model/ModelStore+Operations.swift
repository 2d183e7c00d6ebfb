@testable import Records

extension ModelStore {
  /// Makes an operation and says what the store must answer.
  mutating func run(_ operation: Operation) -> Outcome {
    switch operation {
    case .insert(let entity, let values, let links):
      guard hasRequiredValues(entity, values) else { return .missingRequiredValue }
      return .row(insert(entity, values: values, links: links))
    case .update(let entity, let row, let values, let links):
      guard let old = self.row(row, of: entity) else {
        // The store looks at the values before it looks for the row.
        let isIncomplete = requiredAttributes(entity).contains { values[$0] == .null }
        return isIncomplete ? .missingRequiredValue : .noSuchRow
      }
      guard hasRequiredValues(entity, old.values.merging(values) { $1 }) else { return .missingRequiredValue }
      return .changed(update(entity, row, values: values, links: links))
    case .delete(let entity, let row):
      guard self.row(row, of: entity) != nil else { return .isDone(false) }
      delete(entity, row)
      return .isDone(true)
    case .setMembers(let entity, let relationship, let owner, let members):
      return .isDone(setMembers(entity, relationship, owner, to: members))
    case .insertMembers(let entity, let relationship, let owner, let members):
      return .isDone(insertMembers(entity, relationship, owner, members))
    case .removeMembers(let entity, let relationship, let owner, let members):
      return .isDone(removeMembers(entity, relationship, owner, members))
    case .touch(let entity, let row):
      guard self.row(row, of: entity) != nil else { return .noSuchRow }
      touch(entity, row)
      return .isDone(true)
    case .readMembers(let entity, let relationship, let owner):
      return .rows(members(entity, relationship, owner))
    case .lookUp(let entity, let attributes, let values):
      // The store applies what it has buffered for an index when the index is read.
      let isUnique = schema.entity(named: entity)?.indexDescriptions.contains {
        $0.isUnique && $0.attributes == attributes
      }
      if isUnique == true, hasConflict(entity, attributes) { return .conflict }
      return .rows(rows(entity, attributes, equal: values))
    }
  }

  private func hasRequiredValues(_ entity: String, _ values: [String: FieldValue]) -> Bool {
    requiredAttributes(entity).allSatisfy { (values[$0] ?? .null) != .null }
  }

  private func requiredAttributes(_ entity: String) -> [String] {
    (schema.entity(named: entity)?.attributes ?? []).filter { !$0.isOptional }.map(\.name)
  }

  /// What a commit must report, given the state before the transaction: inserted rows, deleted rows, and the names of the
  /// properties that differ in the others.
  func changes(since before: ModelStore) -> [String: ModelChanges] {
    var result: [String: ModelChanges] = [:]
    for entity in schema.entities.map(\.name) {
      let old = before.rows[entity] ?? [:]
      let new = rows[entity] ?? [:]
      var changes = ModelChanges()
      changes.inserted = new.keys.filter { old[$0] == nil }.sorted()
      changes.deleted = old.keys.filter { new[$0] == nil }.sorted()
      for (number, row) in new {
        guard let previous = old[number] else { continue }
        let names = row.differences(from: previous)
        if !names.isEmpty || touched[entity]?.contains(number) == true { changes.updated[number] = names }
      }
      result[entity] = changes
    }
    return result
  }
}

struct ModelChanges: Equatable {
  var inserted: [RowNumber] = []
  var updated: [RowNumber: Set<String>] = [:]
  var deleted: [RowNumber] = []
}

extension ModelStore.Row {
  func differences(from old: Self) -> Set<String> {
    let values = Set(values.keys).union(old.values.keys).filter { name in
      !ModelStore.isSameContent(self.values[name] ?? .null, old.values[name] ?? .null)
    }
    let toOne = Set(toOne.keys).union(old.toOne.keys).filter { self.toOne[$0] != old.toOne[$0] }
    let toMany = Set(toMany.keys).union(old.toMany.keys).filter { (self.toMany[$0] ?? []) != (old.toMany[$0] ?? []) }
    return values.union(toOne).union(toMany)
  }
}
