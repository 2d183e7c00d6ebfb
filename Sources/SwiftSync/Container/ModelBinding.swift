import Records

/// Connects a model class with its entity in one store: which slot is which field or relationship.
final class ModelBinding: Sendable {
  let table: ModelTable
  let entity: Entity
  /// What the entity's rows are found by when a server names them; nil for a model that has no identity.
  let identity: Identity?
  private let places: [Place]
  private let fields: [FieldIndex?]
  /// The attributes whose stored values may be unreadable as the class's type.
  private let checked: [Checked]
  /// The relationships without which an object cannot be, with their fields.
  private let required: [(property: ModelProperty, field: FieldIndex)]
  /// The to-many relationships, with their places in property sets.
  private let toMany: [(property: ModelProperty, index: Int)]
  /// What a stage of a migration may still fill; nil outside of one.
  private let unfilled: UnfilledValues?

  /// The attribute that holds the sync identity, and the index on it.
  final class Identity: Sendable {
    let property: ModelProperty
    let index: Index
    /// Whether it is what the class says is its sync identity; one that is written by hand may say another property.
    let isSyncIdentity: Bool
    /// The property's type, if it is stored as it is, and is no enum.
    private let type: AttributeType?
    /// The stored form of a value; nil when there is none.
    let field: @Sendable (Any) -> FieldValue?

    init(_ property: ModelProperty, _ attribute: AttributeTrait, _ index: Index, of table: ModelTable) {
      self.property = property
      self.index = index
      isSyncIdentity = table.identifiedType?.syncIdentityPropertyName == property.name
      type = attribute.reader == nil ? attribute.type.type : nil
      field = attribute.field
    }

    /// Whether values of a type are stored in the property as they are.
    func isStored(as type: StoredType) -> Bool { self.type == type.type }
  }

  private struct Checked {
    var property: ModelProperty
    var field: FieldIndex
    /// Whether a content outside of the record is read with the object, because nothing can stand in for it later.
    var isReadWithObject: Bool
  }

  private struct Place {
    var field: FieldIndex?
    var relationship: Relationship?
    var inverse: ModelProperty?
  }

  init(_ table: ModelTable, schema: StoreSchema, _ catalog: Catalog, unfilled: UnfilledValues? = nil) throws {
    guard let entity = catalog.entity(named: table.name), let description = schema.entity(named: table.name) else {
      throw ModelError.unknownModel(table.name)
    }
    self.table = table
    self.entity = entity
    self.unfilled = unfilled
    let attributes = Dictionary(uniqueKeysWithValues: entity.attributes.map { ($0.name, $0) })
    let relationships = Dictionary(uniqueKeysWithValues: entity.relationships.map { ($0.name, $0) })
    places = try table.properties.map { property in
      if let attribute = attributes[property.name] { return Place(field: attribute.field) }
      guard let relationship = relationships[property.name] else { throw ModelError.unknownModel(table.name) }
      let inverseName = description.relationships.first { $0.name == property.name }?.inverse
      let destination = property.relationship?.destination().modelTable
      return Place(
        field: relationship.field, relationship: relationship,
        inverse: destination?.properties.first { $0.name == inverseName })
    }
    let property = table.properties.first { $0.name == entity.identity?.name }
    identity = property.flatMap { property in
      guard let attribute = property.attribute, let index = entity.identityIndex else { return nil }
      return Identity(property, attribute, index, of: table)
    }
    let fields = places
    self.fields = places.map(\.field)
    checked = table.properties.compactMap { property in
      guard let attribute = property.attribute, attribute.reader != nil, let field = fields[property.slot].field
      else { return nil }
      let isReadWithObject = entity.mayLieOutside(field) && (unfilled != nil || !attribute.hasStandIn())
      return Checked(property: property, field: field, isReadWithObject: isReadWithObject)
    }
    toMany = table.properties.compactMap { property in
      guard let relationship = fields[property.slot].relationship, relationship.isToMany else { return nil }
      return (property, relationship.propertyIndex)
    }
    required = table.properties.compactMap { property in
      guard let relationship = property.relationship, !relationship.isToMany, !relationship.isOptional,
        let field = fields[property.slot].field
      else { return nil }
      return (property, field)
    }
  }

  /// An object of the class as one of its static type: that is the class itself, or one above it, whose table the class has.
  @inline(__always)
  func model<Model: PersistentModel>(_ object: (any PersistentModel)?) -> Model? {
    guard let object else { return nil }
    if ObjectIdentifier(Model.self) == ObjectIdentifier(table.type) { return unsafeDowncast(object, to: Model.self) }
    return object as? Model
  }

  /// The field of an attribute or to-one relationship; nil for a to-many relationship.
  func field(of slot: Int) -> FieldIndex? { fields[slot] }

  func relationship(of slot: Int) -> Relationship? { places[slot].relationship }

  func inverse(of slot: Int) -> ModelProperty? { places[slot].inverse }

  func destination(of slot: Int) -> EntityID? { places[slot].relationship?.destination }

  /// What an object of the class keeps of a row, if one can be made of it.
  ///
  /// A row may hold what the class cannot read: a raw value that an enum no longer has, JSON of another shape. Values outside
  /// of the record are read when they are asked for, and are looked at then, unless they cannot be done without.
  /// In a migration an object has something in place of what its stage may still fill.
  /// - Throws: `ModelError.unreadableValue` that names the attribute, `RecordError.damagedContent`.
  func record(_ record: RecordView, of row: RowNumber, in snapshot: RecordSnapshot) throws -> Record {
    var result = Record(record)
    for attribute in checked {
      var value = record.value(attribute.field)
      if case .external = value {
        guard attribute.isReadWithObject else { continue }
        value = try snapshot.value(attribute.field, of: record, row: row, entity)
        result.keep(value, of: attribute.field)
      }
      if attribute.property.attribute?.reader?.storedForm(value) != nil { continue }
      guard let placeholder = unfilled?.placeholder(for: value, of: attribute.property) else {
        throw ModelError.unreadableValue(
          entity: table.name, row: row.rawValue, attribute: attribute.property.name, value: "\(value)")
      }
      result.keep(placeholder, of: attribute.field)
    }
    for (property, field) in required where unfilled == nil && record.isNull(field) {
      throw ModelError.unreadableValue(
        entity: table.name, row: row.rawValue, attribute: property.name, value: "no destination")
    }
    return result
  }

  /// Whether a value of some attribute may be unreadable that is of a type for which this holds.
  func checksValues(where isMeant: (ModelProperty) -> Bool) -> Bool {
    checked.contains { isMeant($0.property) }
  }

  /// The attributes and to-one relationships whose values differ between two versions of a row.
  func fieldsThatDiffer(_ old: Record, _ new: RecordView) -> [ModelProperty] {
    old.withView { old in
      table.properties.filter { property in
        guard let field = places[property.slot].field else { return false }
        return old.value(field) != new.value(field)
      }
    }
  }

  /// The to-many relationships among some properties; all of them for nil.
  func toManyProperties(in set: PropertySet?) -> [ModelProperty] {
    toMany.filter { set?.contains($0.index) ?? true }.map(\.property)
  }
}
