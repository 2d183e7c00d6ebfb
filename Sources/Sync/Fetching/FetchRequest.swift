/// Which objects are wanted, in what order, and how many of them.
public struct FetchRequest: Sendable, Hashable {
  /// The name of the objects' entity.
  public var entityName: String
  /// What is asked of the objects; nil for all.
  public var predicate: ObjectPredicate?
  /// What the objects are sorted by, the most significant first. Objects that agree in all of it come in the order in which they were
  /// stored.
  public var sortDescriptors: [ObjectSort]
  /// How many objects are skipped.
  public var fetchOffset = 0
  /// How many objects are wanted at most; nil for all.
  public var fetchLimit: Int?
  /// Whether objects of sub-entities are wanted too.
  public var includesSubentities = true
  /// Whether unsaved objects and edits count.
  public var includesPendingChanges = true

  /// Asks for the objects of an entity.
  public init(entityName: String, predicate: ObjectPredicate? = nil, sortDescriptors: [ObjectSort] = []) {
    self.entityName = entityName
    self.predicate = predicate
    self.sortDescriptors = sortDescriptors
  }
}

/// What objects are sorted by: the value of an attribute, or of one at the end of to-one relationships.
///
/// Objects without a value come first.
public struct ObjectSort: Sendable, Hashable {
  /// How texts are sorted.
  public enum TextOrder: Sendable, Hashable {
    /// By their code points.
    case literal
    /// As people sort lists: by letters, numbers by their value; case and diacritics decide only between texts that agree otherwise.
    case localizedStandard
  }

  /// The path of names that leads to the attribute.
  public var key: String
  /// Whether least values come first.
  public var ascending: Bool
  /// How texts are sorted.
  public var textOrder: TextOrder

  /// Sorts by the value at the end of a path.
  public init(_ key: String, ascending: Bool = true, text textOrder: TextOrder = .literal) {
    self.key = key
    self.ascending = ascending
    self.textOrder = textOrder
  }
}
