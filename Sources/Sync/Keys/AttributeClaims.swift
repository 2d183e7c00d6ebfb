/// What an attribute says of a key: the smaller, the sooner the key is the attribute's.
private enum Claim: Int, Comparable {
  /// The model names the key.
  case remoteKey
  /// The key is the attribute's name.
  case name
  /// The key is a reserved word, and the attribute's name is that word behind the name of the entity.
  case reservedWord
  /// The key is that of a reserved word behind the name of an ancestor.
  case inheritedReservedWord
  /// The key is `id`, and the attribute's name is a usual one of primary keys.
  case usualName
  /// The key is the attribute's name in another style.
  case style
  /// The same, while the model names another key.
  case styleBesideRemoteKey

  static func < (left: Claim, right: Claim) -> Bool { left.rawValue < right.rawValue }
}

extension AttributeKeys {
  /// The keys of all attributes of an entity.
  ///
  /// - Throws: `ModelError.ambiguousKey` for a key that two attributes have the same claim to.
  static func all(of entity: EntityDescription) throws(ModelError) -> [AttributeKeys] {
    var exact: [String: Owner] = [:]
    var canonical: [String: Owner] = [:]
    for attribute in entity.attributes {
      for (key, claim) in attribute.exactClaims(in: entity) {
        // What lies behind a path is read into every attribute that names it.
        if claim == .remoteKey, key.contains(".") { continue }
        try Owner.settle(key, for: attribute, claim, in: &exact, of: entity)
      }
      let form = Inflection.canonical(attribute.name)
      let claim: Claim = attribute.customKey == nil ? .style : .styleBesideRemoteKey
      try Owner.settle(form, for: attribute, claim, in: &canonical, of: entity)
    }
    return entity.attributes.map { attribute in
      let keys = attribute.exactClaims(in: entity).map(\.key)
      let form = Inflection.canonical(attribute.name)
      return AttributeKeys(
        attribute: attribute.name,
        exact: keys.filter { exact[$0] == nil || exact[$0]?.attribute == attribute.name },
        canonical: canonical[form]?.attribute == attribute.name ? form : nil)
    }
  }

  /// The attribute with the best claim to a key so far.
  private struct Owner {
    var attribute: String
    var claim: Claim

    static func settle(
      _ key: String, for attribute: AttributeDescription, _ claim: Claim, in owners: inout [String: Owner],
      of entity: EntityDescription
    ) throws(ModelError) {
      if let owner = owners[key], owner.attribute != attribute.name {
        if owner.claim == claim {
          throw .ambiguousKey(entity: entity.name, key: key, first: owner.attribute, second: attribute.name)
        }
        if owner.claim < claim { return }
      }
      owners[key] = Owner(attribute: attribute.name, claim: claim)
    }
  }
}

extension AttributeDescription {
  /// The keys of the attribute as they are, in the order in which they are tried.
  fileprivate func exactClaims(in entity: EntityDescription) -> [(key: String, claim: Claim)] {
    var claims: [(key: String, claim: Claim)] = []
    func add(_ key: String, _ claim: Claim) {
      if !claims.contains(where: { $0.key == key }) { claims.append((key, claim)) }
    }
    if let customKey { add(customKey, .remoteKey) }
    let isUsualName = EntityKeys.usualPrimaryKeys.contains(name)
    if isUsualName, customKey == nil { add("id", name == "id" ? .name : .usualName) }
    add(name, .name)
    let form = Inflection.canonical(name)
    for word in Inflection.reservedWords where form.hasSuffix(word) {
      let prefix = String(form.dropLast(word.count))
      if Inflection.canonical(entity.name) == prefix { add(word, .reservedWord) }
      if entity.ancestors.contains(where: { Inflection.canonical($0) == prefix }) { add(word, .inheritedReservedWord) }
    }
    if isUsualName { add("id", .usualName) }
    return claims
  }
}
