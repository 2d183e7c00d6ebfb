import Foundation
import SyncEngine

/// Applying identities of other rows to relationships, for hand-written models (contract, section 10.2).
extension SwiftSync {
  /// Links an optional to-one relationship to the object whose identity stands under the first of some keys that is present.
  ///
  /// The identity has to be of the kind of the related model's: a text does not link to a number. Null clears the relationship if
  /// the operations contain `.delete`; an object is linked if they contain `.insert` or `.update`. An unknown identity and a value
  /// of another kind change nothing. In a sync the report lists these, and an identity may come later in the payload.
  ///
  /// - Parameters:
  ///   - owner: whose relationship it is.
  ///   - relationship: the relationship.
  ///   - payload: the payload row of the owner.
  ///   - keys: the keys to look under, each in its forms.
  ///   - context: where the object is looked for; that of the sync.
  ///   - operations: what may happen to links.
  /// - Returns: whether the relationship leads elsewhere now.
  /// - Throws: what looking for the object throws.
  @discardableResult
  public static func syncApplyToOneForeignKey<Owner, Related: SyncModelable>(
    _ owner: Owner, relationship: ReferenceWritableKeyPath<Owner, Related?>, payload: SyncPayload, keys: [String],
    in context: ModelContext, operations: SyncRelationshipOperations = .all
  ) throws -> Bool {
    try applyLink(payload, keys, in: context, operations) { links, value in
      try links.applyForeignKey(value, to: RelationshipEnd(owner, relationship))
    }
  }

  /// Like the form for optional relationships. One that is not optional cannot be cleared: null changes nothing.
  @discardableResult
  public static func syncApplyToOneForeignKey<Owner, Related: SyncModelable>(
    _ owner: Owner, relationship: ReferenceWritableKeyPath<Owner, Related>, payload: SyncPayload, keys: [String],
    in context: ModelContext, operations: SyncRelationshipOperations = .all
  ) throws -> Bool {
    try applyLink(payload, keys, in: context, operations) { links, value in
      try links.applyForeignKey(value, to: RelationshipEnd(owner, relationship))
    }
  }

  /// For models without an identity: only null has an effect, which clears the relationship if the operations contain `.delete`.
  @discardableResult
  public static func syncApplyToOneForeignKey<Owner, Related: PersistentModel>(
    _ owner: Owner, relationship: ReferenceWritableKeyPath<Owner, Related?>, payload: SyncPayload, keys: [String],
    in context: ModelContext, operations: SyncRelationshipOperations = .all
  ) throws -> Bool {
    try applyLink(payload, keys, in: context, operations) { links, value in
      links.clearOnly(RelationshipEnd(owner, relationship), value)
    }
  }

  /// For models without an identity: changes nothing.
  @discardableResult
  public static func syncApplyToOneForeignKey<Owner, Related: PersistentModel>(
    _ owner: Owner, relationship: ReferenceWritableKeyPath<Owner, Related>, payload: SyncPayload, keys: [String],
    in context: ModelContext, operations: SyncRelationshipOperations = .all
  ) throws -> Bool {
    try applyLink(payload, keys, in: context, operations) { links, value in
      links.clearOnly(RelationshipEnd(owner, relationship), value)
    }
  }

  /// Makes the members of a to-many relationship those objects whose identities are listed under the first of some keys that is
  /// present.
  ///
  /// Unknown identities are left out. A list with an element that is no identity of the related model changes nothing. Null and an
  /// empty list empty the relationship. Members are removed if the operations contain `.delete`, and added if they contain
  /// `.insert` or `.update`. A changed membership calls the owner's `syncMarkChanged()` once.
  ///
  /// - Returns: whether there are other members now.
  /// - Throws: what looking for the objects throws.
  @discardableResult
  public static func syncApplyToManyForeignKeys<Owner: SyncUpdatableModel, Related: SyncModelable>(
    _ owner: Owner, relationship: ReferenceWritableKeyPath<Owner, [Related]>, payload: SyncPayload, keys: [String],
    in context: ModelContext, operations: SyncRelationshipOperations = .all
  ) throws -> Bool {
    try applyLink(payload, keys, in: context, operations) { links, value in
      try links.applyForeignKeys(value, to: RelationshipEnd(owner, relationship))
    }
  }

  /// For models without an identity, and owners that are not synced: only null and an empty list have an effect, which empty the
  /// relationship if the operations contain `.delete`.
  @discardableResult
  public static func syncApplyToManyForeignKeys<Owner, Related: PersistentModel>(
    _ owner: Owner, relationship: ReferenceWritableKeyPath<Owner, [Related]>, payload: SyncPayload, keys: [String],
    in context: ModelContext, operations: SyncRelationshipOperations = .all
  ) throws -> Bool {
    try applyLink(payload, keys, in: context, operations) { links, value in
      links.clearOnly(RelationshipEnd(owner, relationship), value)
    }
  }

  /// Runs a closure on what stands under the first of some keys that is present.
  static func applyLink(
    _ payload: SyncPayload, _ keys: [String], in context: ModelContext, _ operations: SyncRelationshipOperations,
    _ body: (_ links: LinkApplication, _ value: Any) throws -> Bool
  ) throws -> Bool {
    guard let (key, value) = payload.firstPresent(of: keys) else { return false }
    return try LinkApplication(payload, in: context, operations: operations).run { try body($0.at(key), value) }
  }
}
