extension EntityDescription {
  /// The attributes that could be the primary key: those that are marked, otherwise those with a usual name.
  var primaryKeyCandidates: [AttributeDescription] {
    let marked = attributes.filter(\.isCustomPrimaryKey)
    // Who is only called so, and can't be a key, is none.
    return marked.isEmpty
      ? attributes.filter { EntityKeys.usualPrimaryKeys.contains($0.name) && $0.canBePrimaryKey } : marked
  }

  /// The attribute that rows are told apart by: the one that is marked as primary key, otherwise `id` or `remoteID`. Nil for an
  /// entity whose rows can't be told apart.
  public var primaryKeyAttribute: AttributeDescription? { primaryKeyCandidates.first }

  /// The name of the primary key.
  public var localPrimaryKey: String? { primaryKeyAttribute?.name }

  /// The key in JSON that the primary key is exported under and looked for first.
  public var remotePrimaryKey: String? {
    primaryKeyAttribute.map { attribute in
      attribute.customKey
        ?? (EntityKeys.usualPrimaryKeys.contains(attribute.name) ? "id" : Inflection.snakeCase(attribute.name))
    }
  }
}

extension AttributeDescription {
  /// Whether rows can be told apart by values of the attribute.
  var canBePrimaryKey: Bool {
    type != .transformable && type != .binaryData && type != .boolean && !isTransient
  }
}
