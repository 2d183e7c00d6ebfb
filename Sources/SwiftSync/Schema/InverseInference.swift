/// Finds the other direction of each relationship of a schema.
///
/// A declaration may name its inverse. Otherwise two relationships that lead from one class to another and back are
/// inverses of each other when there is exactly one of them each way; when there are more, no guess is made: either none
/// is meant (and each is a relationship of its own, if nothing leads back), or the declaration has to say which
/// (contract, section 2.2-12).
struct InverseInference {
  /// A relationship of a class.
  struct End {
    let table: ModelTable
    let property: ModelProperty

    var name: String { "\(table.name).\(property.name)" }

    func isSame(as other: End) -> Bool { table === other.table && property.slot == other.property.slot }
  }

  /// What is known of a relationship.
  private struct Known {
    var inverse: End?
    var isExplicit = false
  }

  private let tables: [ModelTable]
  /// By table and slot. No dictionary, since one of a type of its own takes the runtime longer to get ready than all of this.
  private var known: [[Known]]

  /// - Throws: `SchemaDeclarationError` for an inverse that is not a relationship back, that two relationships claim, or
  ///   that cannot be told from another candidate.
  init(_ tables: [ModelTable]) throws {
    self.tables = tables
    known = tables.map { [Known](repeating: Known(), count: $0.properties.count) }
    for table in tables {
      for property in table.properties {
        guard let relationship = property.relationship, let inverse = relationship.inverse else { continue }
        let end = End(table: table, property: property)
        let destination = relationship.destination().modelTable
        guard let back = destination.property(at: inverse), let backRelationship = back.relationship,
          backRelationship.destination().modelTable === table
        else {
          throw SchemaDeclarationError.inverseLeadsElsewhere(
            entity: table.name, property: property.name, destination: destination.name)
        }
        try pair(end, End(table: destination, property: back))
        update(end) { $0.isExplicit = true }
      }
    }
    for table in tables {
      for property in table.properties { try infer(property, of: table) }
    }
  }

  /// The other direction of a relationship; nil if it has none that a class declares.
  func inverse(of property: ModelProperty, in table: ModelTable) -> ModelProperty? {
    self[End(table: table, property: property)].inverse?.property
  }

  /// Whether a relationship's own declaration names its inverse.
  func isExplicit(_ property: ModelProperty, in table: ModelTable) -> Bool {
    self[End(table: table, property: property)].isExplicit
  }

  private subscript(end: End) -> Known {
    tables.firstIndex { $0 === end.table }.map { known[$0][end.property.slot] } ?? Known()
  }

  private mutating func update(_ end: End, _ body: (inout Known) -> Void) {
    guard let place = tables.firstIndex(where: { $0 === end.table }) else { return }
    body(&known[place][end.property.slot])
  }

  private mutating func infer(_ property: ModelProperty, of table: ModelTable) throws {
    let end = End(table: table, property: property)
    guard let relationship = property.relationship, self[end].inverse == nil else { return }
    let destination = relationship.destination().modelTable
    // A relationship of a class to itself is never its own inverse, nor another one's by guessing.
    guard destination !== table else { return }
    let ways = free(from: table, to: destination)
    let back = free(from: destination, to: table)
    guard let only = back.first else { return }
    guard back.count == 1, ways.count == 1 else {
      throw SchemaDeclarationError.ambiguousInverse(
        entity: table.name, property: property.name, candidates: (ways + back).map(\.name))
    }
    try pair(end, only)
  }

  /// The relationships from one class to another that no declaration has paired.
  private func free(from table: ModelTable, to destination: ModelTable) -> [End] {
    table.properties.compactMap { property in
      guard property.relationship?.destination().modelTable === destination else { return nil }
      let end = End(table: table, property: property)
      return self[end].inverse == nil ? end : nil
    }
  }

  private mutating func pair(_ one: End, _ other: End) throws {
    for (end, claimed) in [(one, other), (other, one)] {
      if let present = self[end].inverse, !present.isSame(as: claimed) {
        throw SchemaDeclarationError.conflictingInverses(property: end.name, first: present.name, second: claimed.name)
      }
    }
    update(one) { $0.inverse = other }
    update(other) { $0.inverse = one }
  }
}
