/// Undoing local edits, by what rows were before them.
extension RecordTransaction {
  /// Gives a row the attributes and to-one relationships back that it had. What isn't known of it stays.
  ///
  /// - Throws: `RecordError.noSuchRow`, `.missingRequiredValue`, `.uniqueConflict`; `.missingDestination` when what a required
  ///   relationship led to is gone.
  package func revert(_ row: RowNumber, of entity: Entity, to base: PushBase) throws {
    var builder = RecordBuilder(entity.layout)
    guard try withRecord(row, of: entity, { builder.load($0) }) != nil else {
      throw RecordError.noSuchRow(entity: entity.name, row: row)
    }
    try fill(&builder, entity, from: base)
    _ = try update(row, of: entity, with: &builder)
  }

  /// Makes a row with the attributes and to-one relationships that a deleted one had.
  ///
  /// - Throws: As `revert(_:of:to:)`.
  package func restore(_ base: PushBase, of entity: Entity) throws -> RowNumber {
    var builder = RecordBuilder(entity.layout)
    try fill(&builder, entity, from: base)
    return try insert(&builder, into: entity)
  }

  private func fill(_ builder: inout RecordBuilder, _ entity: Entity, from base: PushBase) throws {
    for attribute in entity.attributes {
      // A value of a type that the attribute does not have any more stays as it is.
      if let value = base.value(of: attribute.propertyIndex, entity) { _ = builder.set(attribute.field, value) }
    }
    for relationship in entity.relationships {
      guard let field = relationship.field, let value = base.value(of: relationship.propertyIndex, entity) else {
        continue
      }
      var target: RowNumber?
      if case .uint(let number) = value, let destination = catalog[relationship.destination] {
        let row = RowNumber(rawValue: number)
        target = try contains(row, of: destination) ? row : nil
      }
      builder.setRow(field, target)
    }
  }
}
