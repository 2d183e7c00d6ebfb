/// The payload keys of a relationship, and what may stand under them.
package struct RelationshipKeys: Sendable, Equatable {
  /// What a key's value may be.
  package enum Shape: Sendable, Equatable {
    /// Identities of rows.
    case identities
    /// Nested objects.
    case objects
    /// Either; the value shows which.
    case any
  }

  package struct Key: Sendable, Equatable {
    package var name: String
    package var shape: Shape
  }

  /// In the order in which they are looked for. The first that is present is taken, also when it is null.
  package var keys: [Key]

  /// Keys for identities come first: who sends both has the row itself elsewhere in the payload.
  package init(name: String, isToMany: Bool, remoteKey: String?) {
    let nested = Key(name: name, shape: .objects)
    if let remoteKey, !remoteKey.isEmpty {
      keys = [Key(name: remoteKey, shape: .any)]
      if remoteKey != name { keys.append(nested) }
    } else if isToMany {
      keys = Set(["\(name)_ids", "\(Self.singular(of: name))_ids"]).sorted().map { Key(name: $0, shape: .identities) }
      keys.append(nested)
    } else {
      keys = [Key(name: "\(name)_id", shape: .identities), nested]
    }
  }

  /// The singular of an English plural, by its ending alone.
  package static func singular(of name: String) -> String {
    guard name.count > 1 else { return name }
    if name.hasSuffix("ies") { return name.dropLast(3) + "y" }
    if ["ses", "xes", "zes", "ches", "shes"].contains(where: name.hasSuffix) { return String(name.dropLast(2)) }
    return name.hasSuffix("s") ? String(name.dropLast()) : name
  }
}
