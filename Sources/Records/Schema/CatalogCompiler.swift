/// Turns a catalog document into entities, directions and indexes, and refuses one that does not fit together.
///
/// The document may come from a damaged or forged store, so nothing in it is believed: every name and number is looked up,
/// and what is not found is an error.
struct CatalogCompiler {
  private let document: CatalogDocument
  private(set) var directions: [LinkDirection] = []
  private(set) var indexes: [Index] = []

  init(_ document: CatalogDocument) {
    self.document = document
  }

  mutating func compile() throws -> [Entity] {
    do {
      try document.schema.validate()
    } catch {
      throw RecordError.damagedCatalog(reason: "\(error)")
    }
    try checkNumbers()
    let layouts = try document.entities.map { try layout(of: $0) }
    directions = try compileDirections()
    return try document.entities.indices.map { try compileEntity($0, layout: layouts[$0]) }
  }

  private func checkNumbers() throws {
    try check(document.entities.map(\.id), below: document.nextEntityID, "entity")
    try check(document.entities.flatMap { $0.indexes.map(\.id) }, below: document.nextIndexID, "index")
    try check(
      document.entities.flatMap { $0.relationships.map(\.id) }, below: document.nextRelationshipID, "relationship")
  }

  private func check(_ numbers: [UInt32], below next: UInt32, _ kind: String) throws {
    guard Set(numbers).count == numbers.count, numbers.allSatisfy({ $0 > 0 && $0 < next }) else {
      throw RecordError.damagedCatalog(reason: "The \(kind) numbers are not distinct numbers below \(next).")
    }
  }

  private func layout(of stored: CatalogDocument.StoredEntity) throws -> RecordLayout {
    let kinds = try stored.fields.map { name in
      if let attribute = stored.description.attributes.first(where: { $0.name == name }) {
        return FieldKind(attribute.type)
      }
      if stored.description.relationships.contains(where: { $0.name == name && !$0.isToMany }) { return .row }
      throw RecordError.damagedCatalog(
        reason: "\(stored.description.name) has a field \(name), but no such attribute or to-one relationship.")
    }
    let expected = stored.description.attributes.count + stored.description.relationships.count { !$0.isToMany }
    guard Set(stored.fields).count == stored.fields.count, kinds.count == expected else {
      throw RecordError.damagedCatalog(
        reason: "The fields of \(stored.description.name) are not its attributes and to-one relationships.")
    }
    let formed = try fields(stored.formedFields, of: stored, kinds: kinds)
    let external = stored.description.attributes.filter(\.isExternal).compactMap {
      stored.fields.firstIndex(of: $0.name)
    }
    return RecordLayout(version: stored.layoutVersion, kinds: kinds, formed: formed, external: Set(external))
  }

  /// The fields that have a form.
  private func fields(
    _ names: [String]?, of stored: CatalogDocument.StoredEntity, kinds: [FieldKind]
  ) throws -> Set<FieldIndex> {
    let fields = (names ?? []).compactMap { stored.fields.firstIndex(of: $0) }
    guard fields.count == names?.count ?? 0, fields.allSatisfy({ kinds[$0].fixedByteCount == nil }) else {
      throw RecordError.damagedCatalog(
        reason: "A content of \(stored.description.name) cannot be outside of its records.")
    }
    return Set(fields)
  }

  /// The earlier layouts of an entity, each with values for every field of the present one.
  private func upgrades(of stored: CatalogDocument.StoredEntity, to layout: RecordLayout) throws -> [RecordUpgrade] {
    let earlier = stored.earlierLayouts ?? []
    let versions = Set(earlier.map(\.version) + [layout.version])
    return try earlier.map { old in
      let formed = Set(old.formedFields ?? [])
      let isSound =
        formed.allSatisfy { old.kinds.indices.contains($0) && old.kinds[$0].fixedByteCount == nil }
        && versions.count == earlier.count + 1 && old.sources.count == layout.fields.count
        && zip(old.sources, layout.fields).allSatisfy { source, field in
          let isConverted = source.field.map { position in
            old.kinds.indices.contains(position) && FieldConversion(from: old.kinds[position], to: field.kind) != nil
              && (field.hasForm || !formed.contains(position))
          }
          return isConverted ?? true
        }
      let earlierLayout = RecordLayout(version: old.version, kinds: old.kinds, formed: formed)
      guard isSound, let upgrade = RecordUpgrade(from: earlierLayout, to: layout, sources: old.sources) else {
        throw RecordError.damagedCatalog(
          reason: "The layout \(old.version) of \(stored.description.name) does not lead to the present one.")
      }
      return upgrade
    }
  }

  // MARK: Directions

  /// A direction before its inverse's place is known.
  private struct Draft {
    var id: UInt32
    var inverse: UInt32
    var entitySlot: Int
    var destinationSlot: Int
    var field: FieldIndex?
    var propertyIndex: Int?
    var deleteRule: DeleteRule
    var isRequired: Bool
    var name: String
  }

  private func compileDirections() throws -> [LinkDirection] {
    var drafts: [Draft] = []
    for (slot, stored) in document.entities.enumerated() {
      for (position, description) in stored.description.relationships.enumerated() {
        drafts.append(try draft(of: description, position: position, in: stored, slot: slot))
      }
    }
    // `checkNumbers` has seen to it that no number is there twice.
    let declared = NumberPlaces(drafts.map(\.id))
    for draft in drafts {
      if let other = declared[draft.inverse].map({ drafts[$0] }) {
        guard other.inverse == draft.id, other.entitySlot == draft.destinationSlot,
          other.destinationSlot == draft.entitySlot, other.id != draft.id
        else {
          throw RecordError.damagedCatalog(reason: "\(draft.name) and \(other.name) are not each other's inverse.")
        }
      } else {
        drafts.append(
          Draft(
            id: draft.inverse, inverse: draft.id, entitySlot: draft.destinationSlot, destinationSlot: draft.entitySlot,
            field: nil, propertyIndex: nil, deleteRule: .nullify, isRequired: false,
            name: "the inverse of \(draft.name)"))
      }
    }
    try check(drafts.map(\.id), below: document.nextRelationshipID, "relationship")
    let slots = NumberPlaces(drafts.map(\.id))
    return drafts.enumerated().compactMap { slot, draft in
      slots[draft.inverse].map { inverseSlot in
        LinkDirection(
          id: RelationshipID(rawValue: draft.id), slot: slot, inverseSlot: inverseSlot,
          entity: EntityID(rawValue: document.entities[draft.entitySlot].id), entitySlot: draft.entitySlot,
          destination: EntityID(rawValue: document.entities[draft.destinationSlot].id),
          destinationSlot: draft.destinationSlot, field: draft.field, propertyIndex: draft.propertyIndex,
          deleteRule: draft.deleteRule, isRequired: draft.isRequired, name: draft.name,
          isOneToOne: draft.field != nil && drafts[inverseSlot].field != nil)
      }
    }
  }

  private func draft(
    of description: RelationshipDescription, position: Int, in stored: CatalogDocument.StoredEntity, slot: Int
  ) throws -> Draft {
    let name = "\(stored.description.name).\(description.name)"
    guard let numbers = stored.relationships.first(where: { $0.name == description.name }),
      let destination = document.entities.firstIndex(where: { $0.description.name == description.destination })
    else { throw RecordError.damagedCatalog(reason: "\(name) has no number or no destination.") }
    return Draft(
      id: numbers.id, inverse: numbers.inverse, entitySlot: slot, destinationSlot: destination,
      field: description.isToMany ? nil : stored.fields.firstIndex(of: description.name),
      propertyIndex: stored.description.attributes.count + position, deleteRule: description.deleteRule,
      isRequired: description.isRequired, name: name)
  }

  // MARK: Entities

  private mutating func compileEntity(_ slot: Int, layout: RecordLayout) throws -> Entity {
    let stored = document.entities[slot]
    let name = stored.description.name
    let attributes = try stored.description.attributes.enumerated().map { position, description in
      guard let field = stored.fields.firstIndex(of: description.name) else {
        throw RecordError.damagedCatalog(reason: "\(name).\(description.name) has no field.")
      }
      return Attribute(description: description, field: field, propertyIndex: position)
    }
    let own = directions.filter { $0.entitySlot == slot }
    let relationships = stored.description.relationships.enumerated().compactMap { position, description in
      own.first { $0.propertyIndex == attributes.count + position }.map { direction in
        Relationship(
          description: description, direction: direction, inverse: directions[direction.inverseSlot].id,
          propertyIndex: attributes.count + position)
      }
    }
    let first = indexes.count
    for index in stored.indexes {
      let columns = index.attributes.compactMap { name in attributes.first { $0.name == name } }
      guard !columns.isEmpty, columns.count == index.attributes.count else {
        throw RecordError.damagedCatalog(reason: "An index of \(name) names an attribute that it does not have.")
      }
      indexes.append(
        Index(
          id: IndexID(rawValue: index.id), slot: indexes.count, entity: EntityID(rawValue: stored.id),
          attributes: columns, isUnique: index.isUnique))
    }
    let names = attributes.map(\.name) + relationships.map(\.name)
    guard let numbers = PropertyNumbers(names: names, list: stored.properties) else {
      throw RecordError.damagedCatalog(reason: "A property of \(name) has no number.")
    }
    let entity = Entity(
      id: EntityID(rawValue: stored.id), slot: slot, description: stored.description, layout: layout,
      upgrades: try upgrades(of: stored, to: layout), attributes: attributes, relationships: relationships,
      directions: own, indexes: Array(indexes[first...]),
      propertyNumbers: numbers)
    guard entity.identity == nil || entity.identityIndex != nil else {
      throw RecordError.damagedCatalog(reason: "\(name) has an identity without an index.")
    }
    return entity
  }
}

/// Where distinct numbers are in a list. A sorted list itself, since a dictionary of types of its own takes the runtime long to get
/// ready when a store is opened.
private struct NumberPlaces {
  /// Each with its place in the lower half.
  private let sorted: [UInt64]

  init(_ numbers: [UInt32]) {
    sorted = numbers.enumerated().map { UInt64($0.element) << 32 | UInt64($0.offset) }.sorted()
  }

  subscript(number: UInt32) -> Int? {
    let place = sorted.firstPlace(notBefore: { $0 >> 32 < number })
    guard place < sorted.count, sorted[place] >> 32 == number else { return nil }
    return Int(sorted[place] & 0xFFFF_FFFF)
  }
}
