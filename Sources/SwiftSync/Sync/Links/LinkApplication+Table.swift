import Foundation
import SyncEngine

/// Relationships of mapped models, by the lines of their tables (contract, section 10.4).
extension LinkApplication {
  /// Applies all relationships that the payload says something about, in the order of their declaration.
  func applyAll<Owner: PersistentModel>(to owner: Owner) throws -> Bool {
    var isChanged = false
    for property in Owner.modelTable.properties {
      guard let relationship = property.relationship, let found = firstPresent(property, relationship) else { continue }
      isChanged = try at(found.key).apply(found, property, relationship, to: owner) || isChanged
    }
    return isChanged
  }

  /// What stands under the first key of a relationship that is present.
  private struct Found {
    let key: String
    let value: Any
    /// What the key says that the value may be.
    let shape: RelationshipKeys.Shape
  }

  private func firstPresent(_ property: ModelProperty, _ relationship: RelationshipTrait) -> Found? {
    let keys = RelationshipKeys(name: property.name, isToMany: relationship.isToMany, remoteKey: property.remoteKey)
    for key in keys.keys {
      if let (found, value) = payload.firstPresent(of: [key.name]) {
        return Found(key: found, value: value, shape: key.shape)
      }
    }
    return nil
  }

  /// The value shows what it is, objects are nested data and anything else identities, and the key says what it may be.
  private func apply<Owner: PersistentModel>(
    _ found: Found, _ property: ModelProperty, _ relationship: RelationshipTrait, to owner: Owner
  ) throws -> Bool {
    let value = found.value
    let list = relationship.isToMany ? PayloadConversion.list(value) : nil
    if value is NSNull || list?.isEmpty == true {
      return clear(property, relationship, of: owner, relationship.destination(), value)
    }
    if saysNothing(value, list) { return false }
    let isNested = list.map { $0.allSatisfy { $0 is [String: Any] } } ?? (value is [String: Any])
    let destination = relationship.destination()
    if isNested, found.shape != .identities, let related = destination as? any SyncUpdatableModel.Type {
      return try applyNested(value, property, relationship, to: owner, related)
    }
    if !isNested, found.shape != .objects, let related = destination as? any SyncModelable.Type {
      return try applyReferences(value, property, relationship, to: owner, related)
    }
    payload.place?.noteIgnored(value, at: steps, relationship: property.name, reason: .mismatchedValue)
    return false
  }

  private func clear<Owner: PersistentModel, Related: PersistentModel>(
    _ property: ModelProperty, _ relationship: RelationshipTrait, of owner: Owner, _ related: Related.Type, _ value: Any
  ) -> Bool {
    let end = RelationshipEnd<Related>(owner, property, relationship)
    if isFixed(end) { return false }
    if value is NSNull { return clear(end) }
    pass.forgetLink(of: end.owner, end.keyPath)
    return merge([], into: end, value: value)
  }

  private func applyNested<Owner: PersistentModel, Related: SyncUpdatableModel>(
    _ value: Any, _ property: ModelProperty, _ relationship: RelationshipTrait, to owner: Owner,
    _ related: Related.Type
  ) throws -> Bool {
    let end = RelationshipEnd<Related>(owner, property, relationship)
    return relationship.isToMany ? try applyNestedObjects(value, to: end) : try applyNestedObject(value, to: end)
  }

  private func applyReferences<Owner: PersistentModel, Related: SyncModelable>(
    _ value: Any, _ property: ModelProperty, _ relationship: RelationshipTrait, to owner: Owner,
    _ related: Related.Type
  ) throws -> Bool {
    let end = RelationshipEnd<Related>(owner, property, relationship)
    return relationship.isToMany ? try applyForeignKeys(value, to: end) : try applyForeignKey(value, to: end)
  }

  /// An empty object says nothing, and a list with one in it does not say what is missing in it either.
  private func saysNothing(_ value: Any, _ list: [Any]?) -> Bool {
    func isEmptyObject(_ value: Any) -> Bool { (value as? [String: Any])?.isEmpty == true }
    return isEmptyObject(value) || (list ?? PayloadConversion.list(value))?.contains(where: isEmptyObject) == true
  }
}
