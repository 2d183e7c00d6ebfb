import Foundation
import SyncEngine

/// Applying objects that payload rows nest to relationships, for hand-written models (contract, section 10.3).
extension SwiftSync {
  /// Leads an optional to-one relationship to the object that is nested under the first of some keys that is present.
  ///
  /// A nested object with the identity of a known one changes that (`.update`) and is linked; another one is made (`.insert`) and
  /// linked; one without identity changes the object that the relationship leads to. Null clears the relationship (`.delete`). In
  /// a sync the nested object's own relationships are applied too, after those of the owner.
  ///
  /// - Returns: whether the relationship leads elsewhere, or the object has changed.
  /// - Throws: what `make` and `apply` of the related model throw, and what looking for the object throws.
  @discardableResult
  public static func syncApplyToOneNestedObject<Owner, Related: SyncUpdatableModel>(
    _ owner: Owner, relationship: ReferenceWritableKeyPath<Owner, Related?>, payload: SyncPayload, keys: [String],
    in context: ModelContext, operations: SyncRelationshipOperations = .all
  ) throws -> Bool {
    try applyLink(payload, keys, in: context, operations) { links, value in
      try links.applyNestedObject(value, to: RelationshipEnd(owner, relationship))
    }
  }

  /// For models that are not synced: changes nothing.
  @discardableResult
  public static func syncApplyToOneNestedObject<Owner, Related: PersistentModel>(
    _ owner: Owner, relationship: ReferenceWritableKeyPath<Owner, Related?>, payload: SyncPayload, keys: [String],
    in context: ModelContext, operations: SyncRelationshipOperations = .all
  ) throws -> Bool {
    false
  }

  /// Makes the members of a to-many relationship those objects that are nested under the first of some keys that is present.
  ///
  /// Each is taken as a single nested object is; then the membership is what the list says, as far as the operations allow. Objects
  /// that are no longer members are not deleted. A changed membership calls the owner's `syncMarkChanged()` once.
  ///
  /// - Returns: whether there are other members, or one of them has changed.
  /// - Throws: what `make` and `apply` of the related model throw, and what looking for the objects throws.
  @discardableResult
  public static func syncApplyToManyNestedObjects<Owner: SyncUpdatableModel, Related: SyncUpdatableModel>(
    _ owner: Owner, relationship: ReferenceWritableKeyPath<Owner, [Related]>, payload: SyncPayload, keys: [String],
    in context: ModelContext, operations: SyncRelationshipOperations = .all
  ) throws -> Bool {
    try applyLink(payload, keys, in: context, operations) { links, value in
      try links.applyNestedObjects(value, to: RelationshipEnd(owner, relationship))
    }
  }

  /// For models and owners that are not synced: changes nothing.
  @discardableResult
  public static func syncApplyToManyNestedObjects<Owner, Related: PersistentModel>(
    _ owner: Owner, relationship: ReferenceWritableKeyPath<Owner, [Related]>, payload: SyncPayload, keys: [String],
    in context: ModelContext, operations: SyncRelationshipOperations = .all
  ) throws -> Bool {
    false
  }
}
