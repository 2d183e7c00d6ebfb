import Foundation
import Records

/// What limits a query to one object, or to the objects that a relationship leads from to one: that object is known by its sync
/// identity.
struct ReadScope {
  /// The class of the object with the identity.
  let model: any PersistentModel.Type
  /// What leads to it; nil if the query is about the object itself.
  let relationship: AnyKeyPath?
  let id: AnyHashable
  /// The attribute that holds the identity, and its value; nil if no attribute does.
  private let stored: (ModelBinding) -> (property: ModelProperty, value: FieldValue)?
  /// The rows of all objects with the identity, found by looking at each.
  private let scan: (ModelContext, RecordSnapshot) throws -> [RowNumber]

  init<Target: SyncModelable>(_ model: Target.Type, id: Target.SyncID, by relationship: AnyKeyPath? = nil) {
    self.model = model
    self.relationship = relationship
    self.id = id
    stored = { binding in
      let table = binding.table
      guard
        let property = table.property(at: Target.syncIdentity)
          ?? table.properties.first(where: { $0.name == Target.syncIdentityPropertyName }),
        let value = property.attribute?.field(id)
      else { return nil }
      return (property, value)
    }
    scan = { context, snapshot in
      var all = FetchDescriptor<Target>()
      all.includePendingChanges = false
      return try Fetch(all, in: context, snapshot).objects().filter { $0[keyPath: Target.syncIdentity] == id }
        .compactMap(\._$backing.storedRow)
    }
  }

  /// The scope in the terms of a store.
  /// - Throws: `ModelError.unknownModel`; `SyncReadError.noRelationship` for a key path that is none.
  func resolved(for binding: ModelBinding, in core: ContainerCore) throws -> LiveScope {
    let target = try core.binding(of: model)
    var link: Relationship?
    if let relationship {
      guard let property = binding.table.property(at: relationship),
        let found = binding.relationship(of: property.slot)
      else { throw SyncReadError.noRelationship(model: binding.table.name, path: "\(relationship)") }
      link = found
    }
    let identity = stored(target).flatMap { property, value -> LiveScope.Identity? in
      guard let field = target.field(of: property.slot), let index = target.propertyIndex(of: property) else {
        return nil
      }
      return LiveScope.Identity(field: field, key: LiveKey(property: index, value: value))
    }
    return LiveScope(target: target.entity, relationship: link, identity: identity, scan: scan)
  }
}

/// A scope in the terms of a store.
struct LiveScope {
  /// An identity that an attribute holds.
  struct Identity {
    let field: FieldIndex
    let key: LiveKey

    var condition: Condition { .compare(field, .equal, key.value) }
  }

  /// The entity of the object with the identity.
  let target: Entity
  let relationship: Relationship?
  let identity: Identity?
  fileprivate let scan: (ModelContext, RecordSnapshot) throws -> [RowNumber]

  fileprivate init(
    target: Entity, relationship: Relationship?, identity: Identity?,
    scan: @escaping (ModelContext, RecordSnapshot) throws -> [RowNumber]
  ) {
    self.target = target
    self.relationship = relationship
    self.identity = identity
    self.scan = scan
  }

  /// The rows that the identity means at the moment of a snapshot, where it takes rows to say what the scope is.
  func rows(in context: ModelContext, _ snapshot: RecordSnapshot) throws -> [RowNumber] {
    guard let identity else { return try scan(context, snapshot) }
    if relationship == nil { return [] }
    return try snapshot.rows(snapshot.plan(RecordQuery(target, where: identity.condition)))
  }

  /// What is asked of the query's rows when it is known which rows the identity means.
  func condition(leadingTo rows: [RowNumber]) -> Condition {
    guard let relationship else { return identity?.condition ?? .isRow(rows) }
    if rows.isEmpty { return .never }
    return relationship.isToMany ? .anyMember(relationship, .isRow(rows)) : .destination(relationship, .isRow(rows))
  }

  /// What is asked of a changed row, to tell whether it may be the query's now: any may if objects have to be looked at.
  func condition(ofChangedRowsLeadingTo rows: [RowNumber]) -> Condition {
    isScan ? .always : condition(leadingTo: rows)
  }

  /// Whether it takes objects to tell which rows are the query's.
  var isScan: Bool { relationship == nil && identity == nil }
}
