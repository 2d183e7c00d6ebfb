import Records

/// A schema as people read it.
enum SchemaText {
  /// A line for the entity and one for each of its properties.
  static func write(_ entity: EntityDescription, to output: StandardOutput) throws {
    try output.writeLine(entity.name, .heading)
    for line in propertyLines(of: entity) { try output.writeLine(line) }
  }

  private static func propertyLines(of entity: EntityDescription) -> [String] {
    var table = TextTable(indentation: 2)
    for attribute in entity.attributes {
      table.add([attribute.name, attribute.type.rawValue, notes(on: attribute, of: entity).joined(separator: ", ")])
    }
    for relationship in entity.relationships {
      let arrow = relationship.isToMany ? "to many" : "to one"
      table.add([
        relationship.name, "\(arrow) \(relationship.destination)", notes(on: relationship).joined(separator: ", "),
      ])
    }
    // An attribute that is unique by itself says so on its own line.
    let constraints = entity.uniquenessConstraints.filter { names in
      !entity.attributes.contains { names == [$0.name] && $0.options.contains(.unique) }
    }
    let unique = constraints.map { "  unique: \($0.joined(separator: ", "))" }
    let indexes = entity.indexes.map { "  index: \($0.joined(separator: ", "))" }
    return table.lines + unique + indexes
  }

  private static func notes(on attribute: AttributeDescription, of entity: EntityDescription) -> [String] {
    var notes: [String] = []
    if attribute.name == entity.identity { notes.append("identity") }
    if attribute.options.contains(.unique) { notes.append("unique") }
    if attribute.isOptional { notes.append("optional") }
    if attribute.options.contains(.preserveValueOnDeletion) { notes.append("kept on deletion") }
    if attribute.options.contains(.externalStorage) { notes.append("external storage") }
    if let key = attribute.remoteKey ?? (attribute.name == entity.identity ? entity.identityRemoteKey : nil) {
      notes.append("key \(key)")
    }
    if !attribute.isExported { notes.append("not exported") }
    if let name = attribute.originalName { notes.append("formerly \(name)") }
    return notes
  }

  private static func notes(on relationship: RelationshipDescription) -> [String] {
    var notes: [String] = []
    if let inverse = relationship.inverse { notes.append("inverse \(relationship.destination).\(inverse)") }
    notes.append("on delete \(relationship.deleteRule.rawValue)")
    if !relationship.isToMany, relationship.isOptional { notes.append("optional") }
    if let key = relationship.remoteKey { notes.append("key \(key)") }
    if !relationship.isExported { notes.append("not exported") }
    if let name = relationship.originalName { notes.append("formerly \(name)") }
    return notes
  }
}
