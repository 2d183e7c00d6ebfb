import Records

/// The entities of an application, checked: every name in a model leads somewhere, and inverses agree.
///
/// A model is read from a model file (`init(contentsOf:)`, `init(named:in:)`) or written down in Swift. It doesn't change
/// afterwards.
public struct ManagedObjectModel: Sendable {
  /// The entities, in the order of their declaration, with what they inherit.
  public let entities: [EntityDescription]
  /// The identifier that the model's author gave this version of it.
  public let version: String?
  /// What a model file says that has no effect here. Each entry is a sentence.
  public let omissions: [ModelOmission]
  private let positions: [String: Int]
  let keys: [String: EntityKeys]
  let storage: StoredModel

  /// Makes a model of entities, which may be given in any order.
  ///
  /// - Throws: `ModelError` for the first contradiction in them.
  public init(entities: [EntityDescription], version: String? = nil) throws(ModelError) {
    try self.init(entities: entities, version: version, omissions: [])
  }

  init(entities: [EntityDescription], version: String?, omissions: [ModelOmission]) throws(ModelError) {
    let resolved = try ModelInheritance.resolve(entities)
    try ModelValidation(resolved).validate()
    var keys: [String: EntityKeys] = [:]
    for entity in resolved { keys[entity.name] = try EntityKeys(entity) }
    storage = try StoredModel(resolved)
    self.entities = resolved
    self.version = version
    self.omissions = omissions
    self.keys = keys
    positions = Dictionary(
      resolved.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// A store's entities as they are, which no rules of a model hold for.
  init(describing entities: [EntityDescription], storedAs schema: StoreSchema) {
    self.entities = entities
    version = nil
    omissions = []
    keys = [:]
    storage = StoredModel(schema)
    positions = Dictionary(entities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The entities by name.
  public var entitiesByName: [String: EntityDescription] {
    Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The entity with a name.
  public func entity(named name: String) -> EntityDescription? { positions[name].map { entities[$0] } }

  /// The names of an entity and of all entities below it, in the order of the model.
  public func family(of name: String) -> [String] {
    entities.filter { $0.isKind(of: name) }.map(\.name)
  }
}

extension ManagedObjectModel: Equatable {
  /// Models are equal when they have the same entities, in the same order, and the same version.
  public static func == (left: ManagedObjectModel, right: ManagedObjectModel) -> Bool {
    left.entities == right.entities && left.version == right.version
  }
}

/// Something in a model file that has no effect here, and would have had some elsewhere.
public struct ModelOmission: Sendable, Hashable, CustomStringConvertible {
  /// What it is, as a sentence.
  public let description: String
  /// The line of the file.
  public let line: Int
}

extension ManagedObjectModel {
  /// The other direction of a relationship of the model, whichever of the two names the other. Nil if there is none.
  public func inverse(of relationship: RelationshipDescription) -> RelationshipDescription? {
    relationship.inverse { entity(named: $0) }
  }
}

extension RelationshipDescription {
  /// The relationship that is the other direction of this one, among entities that are found by name.
  func inverse(among entity: (String) -> EntityDescription?) -> RelationshipDescription? {
    let candidates = entity(destination)?.relationships ?? []
    if let inverse { return candidates.first { $0.name == inverse } }
    return candidates.first { other in
      other.inverse == name && entity(other.destination)?.relationship(named: name)?.entityName == entityName
    }
  }
}
