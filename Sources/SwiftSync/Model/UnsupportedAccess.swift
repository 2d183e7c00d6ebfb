/// What the generated accessors find for a property that is neither an attribute nor a relationship: a message that says so.
extension ModelBacking {
  /// Refuses a property that is neither an attribute nor a relationship.
  @available(
    *, unavailable,
    message:
      "a stored property is an attribute (a Codable type) or a relationship (a model, an optional model or an array of models); mark anything else @Transient"
  )
  public func initialize<Value>(_ slot: Int, to value: Value) {}

  /// Refuses a property that is neither an attribute nor a relationship.
  @available(
    *, unavailable,
    message:
      "a stored property is an attribute (a Codable type) or a relationship (a model, an optional model or an array of models); mark anything else @Transient"
  )
  public func value<Model: PersistentModel, Value>(
    _ slot: Int, of model: Model, _ keyPath: KeyPath<Model, Value>
  ) -> Value {
    preconditionFailure("Never called: the compiler refuses every call.")
  }

  /// Refuses a property that is neither an attribute nor a relationship.
  @available(
    *, unavailable,
    message:
      "a stored property is an attribute (a Codable type) or a relationship (a model, an optional model or an array of models); mark anything else @Transient"
  )
  public func set<Model: PersistentModel, Value>(
    _ slot: Int, of model: Model, _ keyPath: KeyPath<Model, Value>, to value: Value
  ) {}
}
