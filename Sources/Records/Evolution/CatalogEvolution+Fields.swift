/// The fields of an entity's records after an evolution.
struct EvolvedFields {
  var version: UInt16 = 1
  var names: [String] = []
  /// Those that have a form in front of their content.
  var formed: [String] = []
  var earlierLayouts: [CatalogDocument.StoredLayout] = []
  /// The attributes whose index keys are others than before.
  var refilled: Set<String> = []
}

extension CatalogEvolution {
  /// A field of the schema and where it comes from.
  private struct Field {
    var name: String
    var kind: FieldKind
    var source: FieldSource
    /// Whether a form stands in front of the content.
    var hasForm = false
  }

  /// Finds a layout for an entity. The one that it has stays if its records can be read as they are.
  mutating func evolvedFields(
    of given: EntityDescription, stored: CatalogDocument.StoredEntity?, links: LinkNumbers
  ) -> EvolvedFields {
    var result = EvolvedFields()
    guard let stored, let old = oldCatalog.entity(named: stored.description.name) else {
      result.names = given.attributes.map(\.name) + given.relationships.filter { !$0.isToMany }.map(\.name)
      result.formed = given.attributes.filter(\.isExternal).map(\.name)
      return result
    }
    var fields = given.attributes.map { field(of: $0, in: given, from: old, refilled: &result.refilled) }
    fields += given.relationships.filter { !$0.isToMany }.map { relationship in
      let number = RelationshipID(rawValue: links.numbers(of: relationship, in: given).id)
      let origin = old.directions.first { $0.id == number }?.field
      return Field(name: relationship.name, kind: .row, source: FieldSource(field: origin))
    }
    // Fields keep their order, and new ones come behind them.
    let places = fields.indices.sorted { left, right in
      (fields[left].source.field ?? .max, left) < (fields[right].source.field ?? .max, right)
    }
    fields = places.map { fields[$0] }
    result.names = fields.map(\.name)
    result.formed = fields.filter(\.hasForm).map(\.name)
    result.version = stored.layoutVersion
    result.earlierLayouts = stored.earlierLayouts ?? []
    let isSame =
      fields.map(\.source) == old.layout.fields.indices.map { FieldSource(field: $0) }
      && fields.map(\.kind) == old.layout.fields.map(\.kind)
      && fields.map(\.hasForm) == old.layout.fields.map(\.hasForm)
    if !isSame { addLayout(fields, replacing: old, to: &result) }
    return result
  }

  private mutating func addLayout(_ fields: [Field], replacing old: Entity, to result: inout EvolvedFields) {
    let formed = old.layout.formedFields.sorted()
    let current = CatalogDocument.StoredLayout(
      version: old.layout.version, kinds: old.layout.fields.map(\.kind), formedFields: formed.isEmpty ? nil : formed,
      sources: fields.map(\.source))
    result.earlierLayouts =
      [current] + result.earlierLayouts.map { $0.followed(by: fields.map { ($0.source, $0.kind) }) }
    let used = result.earlierLayouts.map(\.version)
    result.version = (1...UInt16.max).first { $0 > old.layout.version && !used.contains($0) } ?? 1
    while used.contains(result.version) { result.version += 1 }
    if result.earlierLayouts.count > CatalogEvolution.earlierLayoutsMax { work.rewrites.append(old.id) }
  }

  private mutating func field(
    of given: AttributeDescription, in entity: EntityDescription, from old: Entity, refilled: inout Set<String>
  ) -> Field {
    let kind = FieldKind(given.type)
    var result = Field(name: given.name, kind: kind, source: FieldSource(), hasForm: given.isExternal)
    let value = given.defaultValue.flatMap { FieldConversion.convert($0, to: kind) }
    guard let origin = match.attribute(given, of: entity).flatMap({ old.attribute(named: $0.name) }),
      let conversion = conversion(from: origin, to: given, in: entity)
    else {
      noteChange(ofRelationship: given.name, toAttributeOf: entity, from: old)
      result.source.value = value
      if value == nil, !given.isOptional { check(given, of: old, .noRows) }
      return result
    }
    result.source.field = origin.field
    // Contents may be outside already, so the form stays when the option goes.
    if old.layout.fields[origin.field].hasForm { result.hasForm = true }
    if conversion == .whereExact { check(given, of: old, .exact(origin.field, given.type)) }
    if origin.isOptional, !given.isOptional {
      result.source.value = value
      if value == nil { check(given, of: old, .noNull(origin.field)) }
    }
    if result.source.value != nil || !kind.hasSameKeys(as: FieldKind(origin.type)) { refilled.insert(given.name) }
    return result
  }

  /// How stored values become values of the attribute; nil when they do not.
  private mutating func conversion(
    from origin: Attribute, to given: AttributeDescription, in entity: EntityDescription
  ) -> FieldConversion? {
    if let conversion = FieldConversion(from: FieldKind(origin.type), to: FieldKind(given.type)) { return conversion }
    if !rules.mayReplaceProperties {
      note(
        .attributeTypeChanged(entity: entity.name, attribute: given.name, stored: origin.type, given: given.type))
    }
    return nil
  }

  private mutating func noteChange(
    ofRelationship name: String, toAttributeOf entity: EntityDescription, from old: Entity
  ) {
    guard !rules.mayReplaceProperties, old.relationship(named: name) != nil, old.attribute(named: name) == nil,
      !entity.relationships.contains(where: { $0.originalName == name })
    else { return }
    note(.relationshipBecameAttribute(entity: entity.name, property: name))
  }

  private mutating func check(_ given: AttributeDescription, of old: Entity, _ condition: EvolutionWork.Check.Condition)
  {
    work.checks.append(EvolutionWork.Check(entity: old.id, attribute: given.name, condition: condition))
  }
}

extension CatalogDocument.StoredLayout {
  /// The same records read as ones of the layout that follows the one that the sources are for.
  func followed(by fields: [(source: FieldSource, kind: FieldKind)]) -> CatalogDocument.StoredLayout {
    var result = self
    result.sources = fields.map { source, kind in
      guard let field = source.field, sources.indices.contains(field) else { return source }
      let inner = sources[field]
      // A field that had a value for want of one has never been null for the layout between.
      let value = inner.value.flatMap { FieldConversion.convert($0, to: kind) } ?? source.value
      return FieldSource(field: inner.field, value: value)
    }
    return result
  }
}
