extension ManagedObjectContext {
  /// The objects that a request asks for, from one snapshot of the store and the unsaved state of this context: new objects are found,
  /// edited ones are judged by their edits, deleted ones are left out.
  ///
  /// - Throws: `ManagedObjectError.unknownEntity`, `.wrongClass`, `ObjectPredicateError`, and what opening and reading the store
  ///   throw; also why a relationship that was read before could not be read.
  public func fetch<Object: ManagedObject>(_ request: FetchRequest, as type: Object.Type = Object.self) throws
    -> [Object]
  {
    try answer(request) { try $0.objects() }.map { try typed($0) }
  }

  /// How many objects `fetch` would return. Makes none of those that are not there already.
  /// - Throws: What `fetch` throws.
  public func count(for request: FetchRequest) throws -> Int {
    try answer(request) { try $0.count() }
  }

  private func answer<Result>(_ request: FetchRequest, _ body: (Fetch) throws -> Result) throws -> Result {
    try throwFailure()
    let result = try reading { snapshot in try body(Fetch(request, in: self, snapshot)) }
    try throwFailure()
    return result
  }

  /// The first object of an entity whose primary key has a value, unsaved ones included. An object of the entity itself comes before
  /// one of its sub-entities.
  ///
  /// The value may be of another type, if the key's type can hold it: `"5"` finds the whole number 5, and 5 the text.
  /// - Throws: `ManagedObjectError.missingPrimaryKey`, and what `fetch` throws.
  public func fetch<Object: ManagedObject>(
    _ id: Any, inEntityNamed name: String, as type: Object.Type = Object.self
  ) throws -> Object? {
    let entity = try store().binding(name).entity
    guard let key = entity.primaryKeyAttribute else { throw ManagedObjectError.missingPrimaryKey(entity: name) }
    guard let value = key.keyValue(id) else { return nil }
    var request = FetchRequest(entityName: name, predicate: Key(key.name) == value)
    request.includesSubentities = false
    request.fetchLimit = 1
    if let found: ManagedObject = try fetch(request).first { return try typed(found) }
    request.includesSubentities = true
    return try fetch(request).first.map { try typed($0) }
  }
}
