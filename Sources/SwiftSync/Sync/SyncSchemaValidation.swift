import Records
import SyncEngine

extension Schema {
  /// Checks what syncing needs of classes beyond what a store needs (contract, section 14.3). Only classes that payloads are
  /// mapped to by their declarations are checked.
  ///
  /// - Throws: `SyncError.schemaValidation` for two to-many relationships between the same classes of which no declaration says
  ///   that they belong together, and for a unique constraint on anything but the identity: a payload may move such a value
  ///   from one row to another, and the constraint would refuse it.
  func validateForSync() throws(SyncError) {
    let tables = modelTypes.map { $0.modelTable }.filter(\.isMapped)
    for table in tables {
      try table.validateManyToMany()
      try table.validateUniqueness()
    }
  }
}

extension Schema {
  /// Checks that a policy for conflicts can decide something.
  ///
  /// - Throws: `SyncError.schemaValidation` for a timestamp that none of the models has whose rows can be changed offline: it is
  ///   misspelled, and nothing would ever be taken from the server.
  func validate(_ conflicts: SyncConflictPolicy) throws(SyncError) {
    guard case .newestByAttribute(let timestamp) = conflicts else { return }
    let tables = modelTypes.map { $0.modelTable }
      .filter { $0.identity?.attribute?.options.contains(.preserveValueOnDeletion) == true }
    let isKnown = tables.contains { $0.properties.contains { $0.name == timestamp && $0.attribute != nil } }
    if tables.isEmpty || isKnown { return }
    throw .schemaValidation(
      reason: "The conflict policy compares the timestamp \(timestamp), which none of these models has: "
        + tables.map(\.name).sorted().joined(separator: ", ") + ".")
  }
}

extension ModelTable {
  private var toManyRelationships: [(name: String, trait: RelationshipTrait)] {
    properties.compactMap { property in
      property.relationship.flatMap { $0.isToMany ? (property.name, $0) : nil }
    }
  }

  fileprivate func validateManyToMany() throws(SyncError) {
    for (name, trait) in toManyRelationships.sorted(by: { $0.name < $1.name }) where trait.inverse == nil {
      let other = trait.destination().modelTable
      let back = other.toManyRelationships.filter { $0.trait.destination().modelTable === self }
      guard !back.isEmpty, back.allSatisfy({ $0.trait.inverse == nil }) else { continue }
      let others = back.filter { other !== self || $0.name != name }.map { "\(other.name).\($0.name)" }
      let (pair, remedy) =
        others.isEmpty
        ? (
          "leads back to its own class",
          "Give its other direction a property as well, and name that one with @Relationship(inverse:)."
        )
        : (
          "and \(others.joined(separator: ", ")) are both to-many",
          "Name the inverse on one side, with @Relationship(inverse:)."
        )
      throw .schemaValidation(
        reason: "\(self.name).\(name) \(pair): whether that is one many-to-many relationship, no declaration says. "
          + remedy)
    }
  }

  fileprivate func validateUniqueness() throws(SyncError) {
    let identity = identity.map { [$0.name] }
    for constraint in uniquenessConstraints where constraint != identity {
      throw .schemaValidation(
        reason: "\(name) has a unique constraint on \(constraint.joined(separator: ", ")), which is not its identity "
          + "(\(identity?.first ?? "it has none")). A payload that moves such a value from one row to another could not be "
          + "synced. Use #Index, which does not constrain.")
    }
  }
}
