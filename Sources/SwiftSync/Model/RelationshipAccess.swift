/// Reading and writing relationships. The accessors that `@Model` generates call these; which overload, the type decides.
extension ModelBacking {
  // MARK: To one

  /// Takes the first object at the far end, in an initialiser.
  @inlinable
  public func initialize<Related: PersistentModel>(_ slot: Int, to value: Related?) {
    if let value { initialize(slot, to: value) } else { initializeToNoDestination(slot) }
  }

  @usableFromInline
  func initializeToNoDestination(_ slot: Int) {
    if slot >= slotCount { return }
    begin(slot, .toOne(nil))
  }

  /// Reads the object at the far end; nil when there is none or it is deleted.
  public func value<Model: PersistentModel, Related: PersistentModel>(
    _ slot: Int, of model: Model, _ keyPath: KeyPath<Model, Related?>
  ) -> Related? {
    registerAccess(of: model, keyPath)
    connectInitialRelationships(of: model)
    return destination(of: slot) as? Related
  }

  /// Points at another object, or at none.
  public func set<Model: PersistentModel, Related: PersistentModel>(
    _ slot: Int, of model: Model, _ keyPath: KeyPath<Model, Related?>, to value: Related?
  ) {
    connectInitialRelationships(of: model)
    mutate(model, keyPath) { setDestination(of: slot, of: model, to: value) }
  }

  // MARK: To exactly one

  /// Takes the first object at the far end, in an initialiser.
  public func initialize<Related: PersistentModel>(_ slot: Int, to value: Related) {
    begin(slot, .toOne(value))
    unconnected.append(slot)
  }

  /// Reads the object at the far end.
  ///
  /// A store never holds a row without its required destination. Should one be unreadable all the same, an object without
  /// a row stands in its place, which `isDeleted` tells.
  public func value<Model: PersistentModel, Related: PersistentModel>(
    _ slot: Int, of model: Model, _ keyPath: KeyPath<Model, Related>
  ) -> Related {
    registerAccess(of: model, keyPath)
    connectInitialRelationships(of: model)
    if let related = destination(of: slot) as? Related { return related }
    return Related(_$backing: .missing)
  }

  /// Points at another object.
  public func set<Model: PersistentModel, Related: PersistentModel>(
    _ slot: Int, of model: Model, _ keyPath: KeyPath<Model, Related>, to value: Related
  ) {
    connectInitialRelationships(of: model)
    mutate(model, keyPath) { setDestination(of: slot, of: model, to: value) }
  }

  // MARK: To many

  /// Takes the first members, in an initialiser.
  public func initialize<Related: PersistentModel>(_ slot: Int, to value: [Related]) {
    begin(slot, .toMany(Membership(value)))
    unconnected.append(slot)
  }

  /// Reads the members, in the order in which they were assigned.
  /// - Complexity: O(n) in the number of members, unless they are those that were read last.
  public func value<Model: PersistentModel, Related: PersistentModel>(
    _ slot: Int, of model: Model, _ keyPath: KeyPath<Model, [Related]>
  ) -> [Related] {
    registerAccess(of: model, keyPath)
    connectInitialRelationships(of: model)
    return members(of: slot, as: Related.self)
  }

  /// Replaces the members. An object that is listed twice is one member.
  public func set<Model: PersistentModel, Related: PersistentModel>(
    _ slot: Int, of model: Model, _ keyPath: KeyPath<Model, [Related]>, to value: [Related]
  ) {
    connectInitialRelationships(of: model)
    mutate(model, keyPath) { setMembers(of: slot, of: model, to: value) }
  }

  // MARK: To many, declared optional: nil and no members are the same

  /// Takes the first members, in an initialiser.
  public func initialize<Related: PersistentModel>(_ slot: Int, to value: [Related]?) {
    initialize(slot, to: value ?? [])
  }

  /// Reads the members; never nil.
  /// - Complexity: O(n) in the number of members.
  public func value<Model: PersistentModel, Related: PersistentModel>(
    _ slot: Int, of model: Model, _ keyPath: KeyPath<Model, [Related]?>
  ) -> [Related]? {
    registerAccess(of: model, keyPath)
    connectInitialRelationships(of: model)
    return members(of: slot, as: Related.self)
  }

  /// Replaces the members; nil removes them all.
  public func set<Model: PersistentModel, Related: PersistentModel>(
    _ slot: Int, of model: Model, _ keyPath: KeyPath<Model, [Related]?>, to value: [Related]?
  ) {
    connectInitialRelationships(of: model)
    mutate(model, keyPath) { setMembers(of: slot, of: model, to: value ?? []) }
  }
}
