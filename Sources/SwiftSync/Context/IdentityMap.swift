import Records

/// The objects of a context by row, so that a row has one object. Holds them weakly.
struct IdentityMap {
  private struct Key: Hashable {
    let entity: EntityID
    let row: RowNumber
  }

  private struct Reference {
    weak var model: (any PersistentModel)?
  }

  private var references: [Key: Reference] = [:]
  /// References to objects that are gone are removed when the map has doubled since the last time.
  private var sweepAt = 1024

  subscript(row: RowNumber, entity: EntityID) -> (any PersistentModel)? {
    get { references[Key(entity: entity, row: row)]?.model }
    set {
      references[Key(entity: entity, row: row)] = newValue.map { Reference(model: $0) }
      if references.count > sweepAt { sweep() }
    }
  }

  /// How many objects there may be: some of them may be gone.
  var countMax: Int { references.count }

  /// The objects that are alive, with their rows.
  var objects: [(entity: EntityID, row: RowNumber, model: any PersistentModel)] {
    references.compactMap { key, reference in reference.model.map { (key.entity, key.row, $0) } }
  }

  private mutating func sweep() {
    references = references.filter { $0.value.model != nil }
    sweepAt = max(1024, references.count * 2)
  }
}
