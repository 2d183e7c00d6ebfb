import Records

/// Describes the entity of a store that the objects of an entity and of all entities below it are in.
struct TableBuilder {
  private let root: EntityDescription
  private let layout: TableLayout
  /// The entity and all below it, in the order of the model.
  let family: [EntityDescription]
  /// The primary keys of the family, by the entities that declare them. They have one name and one type.
  private let keys: [String: AttributeDescription]

  private var isShared: Bool { family.count > 1 }

  init(_ root: EntityDescription, _ layout: TableLayout) throws(ModelError) {
    self.root = root
    self.layout = layout
    family = layout.entities.filter { $0.isKind(of: root.name) }
    var keys: [String: AttributeDescription] = [:]
    for member in family {
      guard let key = member.primaryKeyAttribute else { continue }
      if let owner = keys.keys.sorted().first, let other = keys[owner], other.name != key.name || other.type != key.type
      {
        throw .differentPrimaryKeys(ancestor: root.name, first: owner, second: key.entityName)
      }
      keys[key.entityName] = key
    }
    self.keys = keys
  }

  /// Where the objects of a member of the family are.
  func storedEntity(_ member: EntityDescription) -> StoredEntity {
    var renamed: [String: String] = [:]
    let properties =
      member.attributes.map { ($0.name, $0.entityName) } + member.relationships.map { ($0.name, $0.entityName) }
    for (name, owner) in properties {
      let stored = storedName(of: name, declaredBy: owner)
      if stored != name { renamed[name] = stored }
    }
    let members = family.filter { $0.isKind(of: member.name) && !$0.isAbstract }.map(\.name)
    return StoredEntity(
      table: root.name, members: member.name == root.name ? nil : members, renamed: renamed)
  }

  func description() throws(ModelError) -> Records.EntityDescription {
    let constraints = family.flatMap { member in
      member.uniquenessConstraints.map { storedConstraint($0, of: member) }
    }
    let indexes = family.flatMap { member in
      member.attributes.filter { $0.isIndexed && $0.entityName == member.name }.map { [storedName(of: $0)] }
        + member.indexes.map { names in names.map { storedName(of: $0, in: member) } }
    }
    var description = Records.EntityDescription(
      name: root.name, attributes: [], identity: keys.values.first?.name,
      uniquenessConstraints: unique(constraints + keyConstraints),
      indexes: unique(indexes + (isShared ? [[StoredModel.entityAttribute]] : [])),
      originalName: root.renamingIdentifier)
    let indexed = Set((description.uniquenessConstraints + description.indexes).flatMap(\.self))
    description.attributes = attributes(indexed: indexed)
    description.relationships = family.flatMap { member in
      member.relationships.filter { isOwn($0.entityName, of: member) }.map(relationship)
    }
    return description
  }

  // MARK: Attributes

  private var identity: String { keys.values.first?.name ?? "" }

  /// Objects of different entities may have one key, whatever the entities have in common.
  private var keyConstraints: [[String]] {
    isShared && !keys.isEmpty ? [[StoredModel.entityAttribute, identity]] : []
  }

  private func attributes(indexed: Set<String>) -> [Records.AttributeDescription] {
    var result: [Records.AttributeDescription] = []
    for member in family {
      for attribute in member.attributes where isOwn(attribute.entityName, of: member) && !attribute.isTransient {
        let stored = attributeDescription(attribute, of: member, indexed: indexed)
        // Primary keys of several members are one attribute.
        if !result.contains(where: { $0.name == stored.name }) { result.append(stored) }
      }
    }
    if isShared {
      // Rows that were made before there were sub-entities are the root's own.
      result.append(
        Records.AttributeDescription(
          name: StoredModel.entityAttribute, type: .string, isExported: false, defaultValue: .string(root.name)))
    }
    return result
  }

  private func attributeDescription(
    _ attribute: AttributeDescription, of member: EntityDescription, indexed: Set<String>
  ) -> Records.AttributeDescription {
    let name = storedName(of: attribute)
    let isKey = keys[attribute.entityName]?.name == attribute.name
    var options: AttributeOptions = []
    if isKey, !isShared { options.insert(.unique) }
    if attribute.preservesValueInHistory { options.insert(.preserveValueOnDeletion) }
    if attribute.allowsExternalStorage, !isKey, !indexed.contains(name) { options.insert(.externalStorage) }
    return Records.AttributeDescription(
      name: name, type: attribute.type.storedType, isOptional: attribute.isOptional || !isOfAll(attribute.entityName),
      options: options, remoteKey: attribute.customKey, isExported: attribute.shouldExportAttribute,
      originalName: originalName(name, attribute.name, attribute.renamingIdentifier, of: attribute.entityName, member),
      // Rows without a key are not all the same row.
      defaultValue: isKey ? nil : attribute.defaultValue?.fieldValue(as: attribute.type))
  }

  // MARK: Relationships

  private func relationship(_ relationship: RelationshipDescription) -> Records.RelationshipDescription {
    let name = storedName(of: relationship.name, declaredBy: relationship.entityName)
    let inverse = layout.inverse(of: relationship)
    let destination = layout.root(of: relationship.destination)
    let owner = family.first { $0.name == relationship.entityName } ?? root
    return Records.RelationshipDescription(
      name: name, destination: destination?.name ?? relationship.destination, isToMany: relationship.isToMany,
      isOptional: relationship.isToMany || relationship.isOptional || !isOfAll(relationship.entityName),
      inverse: inverse.map { other in
        destination.map { layout.storedName(of: other.name, declaredBy: other.entityName, in: $0) } ?? other.name
      },
      isInverseExplicit: relationship.inverse != nil, deleteRule: relationship.deleteRule.stored,
      remoteKey: relationship.customKey, isExported: relationship.shouldExportAttribute,
      originalName: originalName(
        name, relationship.name, relationship.renamingIdentifier, of: relationship.entityName, owner))
  }

  // MARK: Names

  /// Whether a property is to be described with a member: with the one that declares it, and what comes from above the family with
  /// its root.
  private func isOwn(_ owner: String, of member: EntityDescription) -> Bool {
    owner == member.name || (member.name == root.name && root.isKind(of: owner))
  }

  /// Whether all rows have what an entity declares.
  private func isOfAll(_ owner: String) -> Bool { root.isKind(of: owner) }

  private func storedName(of attribute: AttributeDescription) -> String {
    storedName(of: attribute.name, declaredBy: attribute.entityName)
  }

  private func storedName(of property: String, declaredBy owner: String) -> String {
    keys[owner]?.name == property ? property : layout.storedName(of: property, declaredBy: owner, in: root)
  }

  private func storedName(of attribute: String, in member: EntityDescription) -> String {
    member.attribute(named: attribute).map { storedName(of: $0) } ?? attribute
  }

  /// A constraint of a sub-entity on what all rows have holds among its own rows.
  private func storedConstraint(_ names: [String], of member: EntityDescription) -> [String] {
    let stored = names.map { storedName(of: $0, in: member) }
    let isOfAllRows = names.allSatisfy { name in member.attribute(named: name).map { isOfAll($0.entityName) } ?? false }
    return isOfAllRows && member.name != root.name ? [StoredModel.entityAttribute] + stored : stored
  }

  private func originalName(
    _ stored: String, _ name: String, _ earlier: String?, of owner: String, _ member: EntityDescription
  ) -> String? {
    if stored == name { return earlier }
    let original = "\(member.renamingIdentifier ?? owner).\(earlier ?? name)"
    return original == stored ? nil : original
  }

  private func unique(_ lists: [[String]]) -> [[String]] {
    var seen: Set<[String]> = []
    return lists.filter { seen.insert($0).inserted }
  }
}

extension RelationshipDescription.DeleteRule {
  /// The same as a rule of a store.
  fileprivate var stored: Records.DeleteRule {
    switch self {
    case .nullify: .nullify
    case .cascade: .cascade
    case .deny: .deny
    case .noAction: .noAction
    }
  }
}
