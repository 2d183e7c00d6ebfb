/// What is wrong with the declarations of a container's model classes.
public enum SchemaDeclarationError: Error, Equatable, Sendable, CustomStringConvertible {
  /// `@Relationship(inverse:)` names a property that does not lead back.
  case inverseLeadsElsewhere(entity: String, property: String, destination: String)
  /// Several relationships lead from one class to the other or back, and no declaration says which belong together.
  case ambiguousInverse(entity: String, property: String, candidates: [String])
  /// Two declarations name different inverses for one relationship.
  case conflictingInverses(property: String, first: String, second: String)
  /// Two classes of one name cannot share a store.
  case duplicateEntity(String)
  /// An object may outlive its row, and nothing could stand in for a value of the attribute's type then.
  case noStandIn(entity: String, attribute: String, type: String)
  /// A declaration that only shows to be wrong at run time.
  case invalidDeclaration(entity: String, problem: String)

  /// One sentence that names the class and the property.
  public var description: String {
    switch self {
    case .inverseLeadsElsewhere(let entity, let property, let destination):
      "The inverse of \(entity).\(property) is not a relationship of \(destination) that leads back to \(entity)."
    case .ambiguousInverse(let entity, let property, let candidates):
      "The inverse of \(entity).\(property) cannot be told: \(candidates.joined(separator: ", ")) connect the same two "
        + "models. Name it with @Relationship(inverse:)."
    case .conflictingInverses(let property, let first, let second):
      "\(property) is declared to be the inverse of both \(first) and \(second)."
    case .duplicateEntity(let name):
      "Two model classes are named \(name); entities of one store need different names."
    case .noStandIn(let entity, let attribute, let type):
      "\(entity).\(attribute) has no value in an object whose row is gone, and no \(type) can be made of nothing: declare it with an "
        + "initial value or as an optional, or make \(type) CaseIterable."
    case .invalidDeclaration(let entity, let problem):
      "The declaration of \(entity) is wrong: \(problem)."
    }
  }
}
