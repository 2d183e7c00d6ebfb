/// What has to be looked at or written for a catalog to follow another one. Empty when only the catalog changes.
struct EvolutionWork: Equatable, Sendable {
  /// A condition that stored rows must meet.
  struct Check: Equatable, Sendable {
    enum Condition: Equatable, Sendable {
      /// The entity has no rows: they would be without a value.
      case noRows
      /// No row has a null in the field.
      case noNull(FieldIndex)
      /// Every value of the field is one of the given type.
      case exact(FieldIndex, AttributeType)
    }

    /// The entity, by its number.
    var entity: EntityID
    /// The attribute that needs it, by its name in the schema.
    var attribute: String
    var condition: Condition
  }

  /// A direction of links that is stored in another form than before, or was not stored: it is made from one that was.
  struct LinkBuild: Equatable, Sendable {
    var direction: RelationshipID
    /// The direction of the catalog before that has the links.
    var source: RelationshipID
    /// Whether it leads the other way.
    var isReversed: Bool
  }

  var checks: [Check] = []
  var linkBuilds: [LinkBuild] = []
  /// To-one directions that may be without a destination in rows from before, and must not be.
  var requiredDirections: [RelationshipID] = []
  var indexBuilds: [IndexID] = []
  /// Entities with records of so many layouts that they are all written anew.
  var rewrites: [EntityID] = []
}
