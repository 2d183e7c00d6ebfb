import Records

/// The entities of which something is unsaved in a context: what the store says of their rows may not be what objects show.
struct PendingEntities {
  /// Those with edited objects, or with objects whose relationships were changed from the other direction.
  private(set) var changed: Set<EntityID> = []
  /// Those with deleted objects, which relationships no longer show.
  private(set) var deleted: Set<EntityID> = []

  static let none = PendingEntities()

  private init() {}

  init(of context: ModelContext) {
    changed = Self.entities(of: context.unsaved.edited.objects + context.unsaved.touched.objects)
    deleted = Self.entities(of: context.unsaved.deleted.objects)
  }

  private static func entities(of models: [any PersistentModel]) -> Set<EntityID> {
    Set(models.compactMap { $0._$backing.binding?.entity.id })
  }
}

/// The objects of a model that are not as their rows are, and so are judged by themselves.
struct UnsavedObjects<Model: PersistentModel> {
  /// Stored objects that were edited, or whose relationships were.
  let changed: [Model]
  /// New objects, which have no rows yet.
  let inserted: [Model]
  /// The rows of all changed and deleted objects.
  let rows: Set<RowNumber>

  static var none: UnsavedObjects { UnsavedObjects() }

  private init() {
    changed = []
    inserted = []
    rows = []
  }

  init(in context: ModelContext) {
    var seen: Set<ObjectIdentifier> = []
    let changed = (context.unsaved.edited.objects + context.unsaved.touched.objects).compactMap { $0 as? Model }
      .filter { $0._$backing.state == .stored && seen.insert(ObjectIdentifier($0)).inserted }
    let deleted = context.unsaved.deleted.objects.compactMap { $0 as? Model }
    self.changed = changed
    inserted = context.unsaved.inserted.objects.compactMap { $0 as? Model }
    rows = Set((changed + deleted).compactMap { $0._$backing.storedRow })
  }
}
