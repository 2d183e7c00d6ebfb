import Records
import SyncEngine

/// Making and changing objects of a mapped model by hand, by the rules of a sync: what `make` and `apply` of such a model do. A sync
/// of mapped models alone does not come by here: it writes records.
extension SyncMappedModel {
  /// Makes an object of a payload row, in no context, without relationships. No initialiser of the class runs: what the payload
  /// lacks is nil where that is possible, and no declared default counts.
  ///
  /// - Throws: `SyncError.invalidPayload` for a row without identity, or without another value that is required, and for a value
  ///   that cannot be read and that nothing stands for.
  public static func _make(from payload: SyncPayload) throws -> Self {
    let table = modelTable
    guard let identityProperty = table.identity, let identity = payload.identity(of: table) else {
      let keys = table.identityKeys(in: payload.keyStyle).map { $0.own + $0.aliases } ?? []
      throw payload.invalid(table, "has no identity (looked for under \(keys.joined(separator: ", ")))")
    }
    let model = Self(_$backing: .new)
    model._$backing.setContent(.attribute(identity), in: identityProperty.slot, isEdited: true)
    for property in table.properties where property.slot != identityProperty.slot {
      guard let attribute = property.attribute else { continue }
      let field = try payload.field(of: property, in: table, isNew: true)
      guard field != nil || attribute.type.isOptional else {
        let key = property.remoteKey.flatMap { $0.isEmpty ? nil : $0 } ?? property.name
        let keys = payload.candidates(for: key).joined(separator: " or ")
        throw payload.invalid(table, "is new and has no \(property.name) (looked for under \(keys))")
      }
      model._$backing.setContent(.attribute(field ?? .null), in: property.slot, isEdited: true)
    }
    return model
  }

  /// Takes over the attributes that the payload has. The identity is never changed, nor are relationships.
  ///
  /// - Returns: whether an attribute has another value now.
  /// - Throws: `SyncError.invalidPayload` for a value that cannot be read and that nothing stands for. Then nothing is changed.
  public func _apply(_ payload: SyncPayload) throws -> Bool {
    let table = Self.modelTable
    let identity = table.identity?.slot
    var changes: [(property: ModelProperty, field: FieldValue)] = []
    for property in table.properties where property.slot != identity && property.attribute != nil {
      guard let field = try payload.field(of: property, in: table, isNew: false),
        field != _$backing.exportedField(property)
      else { continue }
      changes.append((property, field))
    }
    for (property, field) in changes { _$backing.write(field, in: property, of: self) }
    return !changes.isEmpty
  }

  /// Writes the identity anew, so that the next save counts the object as changed.
  public func syncMarkChanged() {
    guard let identity = Self.modelTable.identity else { return }
    _$backing.write(_$backing.field(in: identity.slot), in: identity, of: self)
  }
}

extension ModelBacking.Source {
  /// The source of a new object without values.
  static var new: ModelBacking.Source {
    ModelBacking.Source(state: .unmanaged, row: nil)
  }
}

extension ModelBacking {
  /// Edits an attribute that is known by its line in the table.
  func write(_ field: FieldValue, in property: ModelProperty, of model: any PersistentModel) {
    checkPresence(of: model)
    setContent(.attribute(field), in: property.slot, isEdited: true)
    context?.noteEdit(of: model)
    announce(property, of: model)
  }

  /// Tells observers that a property was set by its line in the table.
  func announce(_ property: ModelProperty, of model: any PersistentModel) {
    if let context { context.announce(property, of: model) } else { property.notify(model) }
  }
}
