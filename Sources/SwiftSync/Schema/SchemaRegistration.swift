import Records

extension Schema {
  /// The schema in the form in which a store keeps it.
  ///
  /// - Throws: `SchemaDeclarationError` where declarations contradict each other.
  func storeSchema() throws -> StoreSchema {
    let tables = modelTypes.map { $0.modelTable }
    var names: Set<String> = []
    for table in tables {
      guard names.insert(table.name).inserted else { throw SchemaDeclarationError.duplicateEntity(table.name) }
      if let problem = table.problems.first {
        throw SchemaDeclarationError.invalidDeclaration(entity: table.name, problem: problem)
      }
      if let attribute = table.attributeWithoutStandIn {
        throw SchemaDeclarationError.noStandIn(
          entity: table.name, attribute: attribute.name, type: "\(type(of: attribute.keyPath).valueType)")
      }
    }
    let inverses = try InverseInference(tables)
    return StoreSchema(entities: tables.map { $0.entityDescription(inverses) })
  }
}

extension ModelTable {
  fileprivate func entityDescription(_ inverses: InverseInference) -> EntityDescription {
    var attributes: [AttributeDescription] = []
    var relationships: [RelationshipDescription] = []
    for property in properties {
      switch property.kind {
      case .attribute(let trait):
        attributes.append(
          AttributeDescription(
            name: property.name, type: trait.type.type, isOptional: trait.type.isOptional, options: trait.options,
            remoteKey: property.remoteKey, isExported: property.isExported, originalName: property.originalName,
            defaultValue: property.defaultValue))
      case .relationship(let trait):
        relationships.append(
          RelationshipDescription(
            name: property.name, destination: trait.destination().modelTable.name, isToMany: trait.isToMany,
            isOptional: trait.isOptional, inverse: inverses.inverse(of: property, in: self)?.name,
            isInverseExplicit: inverses.isExplicit(property, in: self), deleteRule: trait.deleteRule,
            remoteKey: property.remoteKey, isExported: property.isExported, originalName: property.originalName))
      }
    }
    return EntityDescription(
      name: name, attributes: attributes, relationships: relationships, identity: identity?.name,
      identityRemoteKey: identityKey, uniquenessConstraints: uniquenessConstraints, indexes: indexes,
      originalName: originalName)
  }
}
