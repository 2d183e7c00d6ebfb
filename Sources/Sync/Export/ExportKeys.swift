/// Under which keys the properties of an entity are exported.
struct ExportKeys {
  /// The exported attributes, by their positions.
  let attributes: [(position: Int, key: String)]
  /// The exported relationships, by their positions.
  let relationships: [(position: Int, key: String)]

  init(_ entity: EntityDescription, _ options: ExportOptions) {
    attributes = entity.attributes.enumerated().filter { $0.element.shouldExportAttribute }.map { position, attribute in
      (position, attribute.exportKey(in: entity, options))
    }
    guard options.relationshipType != .none else {
      relationships = []
      return
    }
    relationships = entity.relationships.enumerated().filter { $0.element.shouldExportAttribute }.map {
      position, relationship in (position, relationship.exportKey(options))
    }
  }
}

extension AttributeDescription {
  fileprivate func exportKey(in entity: EntityDescription, _ options: ExportOptions) -> String {
    if let customKey { return customKey }
    if EntityKeys.usualPrimaryKeys.contains(name) { return "id" }
    if name == "destroy", options.relationshipType == .nested { return "_destroy" }
    return reservedWord(in: entity) ?? options.inflectionType.key(of: name)
  }

  /// The reserved word that the attribute stands for, because its name is that word behind the name of its entity.
  private func reservedWord(in entity: EntityDescription) -> String? {
    let form = Inflection.canonical(name)
    let owners = [entity.name] + entity.ancestors
    return Inflection.reservedWords.first { word in owners.contains { form == Inflection.canonical($0) + word } }
  }
}

extension RelationshipDescription {
  fileprivate func exportKey(_ options: ExportOptions) -> String {
    let key = customKey ?? options.inflectionType.key(of: name)
    guard options.relationshipType == .nested else { return key }
    return key + (options.inflectionType == .camelCase ? "Attributes" : "_attributes")
  }
}

extension InflectionType {
  fileprivate func key(of name: String) -> String {
    self == .camelCase ? name : Inflection.snakeCase(name)
  }
}
