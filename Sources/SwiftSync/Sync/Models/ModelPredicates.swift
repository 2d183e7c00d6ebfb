import Foundation

/// Predicates over properties that are known by their key paths, as `#Predicate` would write them.
enum ModelPredicates {
  /// True of the objects of a model with an identity; nil if the identity is no stored property.
  static func identity<Model: SyncModelable>(of type: Model.Type, equals identity: Model.SyncID) -> Predicate<Model>? {
    guard let keyPath = identityKeyPath(of: type) else { return nil }
    return Predicate<Model> { model in
      PredicateExpressions.build_Equal(
        lhs: PredicateExpressions.build_KeyPath(root: model, keyPath: keyPath),
        rhs: PredicateExpressions.build_Arg(identity))
    }
  }

  /// True of the objects of a model with one of some identities; nil if the identity is no stored property.
  static func identity<Model: SyncModelable>(
    of type: Model.Type, isAmong identities: [Model.SyncID]
  ) -> Predicate<Model>? {
    guard let keyPath = identityKeyPath(of: type) else { return nil }
    return Predicate<Model> { model in
      PredicateExpressions.build_contains(
        PredicateExpressions.build_Arg(identities),
        PredicateExpressions.build_KeyPath(root: model, keyPath: keyPath))
    }
  }

  /// True of the objects whose to-one relationship leads to an object; nil for what is no such relationship.
  static func destination<Model: PersistentModel>(
    of relationship: PartialKeyPath<Model>, is identifier: PersistentIdentifier
  ) -> Predicate<Model>? {
    guard let property = Model.modelTable.property(at: relationship), let trait = property.relationship,
      !trait.isToMany
    else { return nil }
    func predicate<Related: PersistentModel>(_ type: Related.Type) -> Predicate<Model>? {
      if let keyPath = sendable(property.keyPath, as: KeyPath<Model, Related?>.self) {
        return Predicate<Model> { model in
          PredicateExpressions.build_Equal(
            lhs: PredicateExpressions.build_flatMap(
              PredicateExpressions.build_KeyPath(root: model, keyPath: keyPath)
            ) { PredicateExpressions.build_KeyPath(root: $0, keyPath: \Related.persistentModelID) },
            rhs: PredicateExpressions.build_Arg(identifier as PersistentIdentifier?))
        }
      }
      guard let keyPath = sendable(property.keyPath, as: KeyPath<Model, Related>.self) else { return nil }
      return Predicate<Model> { model in
        PredicateExpressions.build_Equal(
          lhs: PredicateExpressions.build_KeyPath(
            root: PredicateExpressions.build_KeyPath(root: model, keyPath: keyPath),
            keyPath: \Related.persistentModelID),
          rhs: PredicateExpressions.build_Arg(identifier))
      }
    }
    return predicate(trait.destination())
  }

  private static func identityKeyPath<Model: SyncModelable>(
    of type: Model.Type
  ) -> (KeyPath<Model, Model.SyncID> & Sendable)? {
    guard let property = Model.modelTable.property(at: Model.syncIdentity) else { return nil }
    return sendable(property.keyPath, as: KeyPath<Model, Model.SyncID>.self)
  }

  /// A key path whose type is only known at run time.
  ///
  /// A cast cannot ask for `Sendable`, which leaves no trace at run time. What is returned is the key path that was passed in,
  /// whose type says that it may be sent.
  private static func sendable<Root, Value>(
    _ keyPath: AnyKeyPath & Sendable, as type: KeyPath<Root, Value>.Type
  ) -> (KeyPath<Root, Value> & Sendable)? {
    (keyPath as? KeyPath<Root, Value>).map { unsafeBitCast($0, to: (KeyPath<Root, Value> & Sendable).self) }
  }
}
