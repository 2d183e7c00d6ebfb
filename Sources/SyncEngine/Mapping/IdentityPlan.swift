import Records

/// How the identity of a row is found in an object.
struct IdentityPlan: Sendable {
  let attribute: Attribute
  let index: Index
  /// The forms of the key that the model names for the identity. None if the model leaves it at the usual names.
  let own: [KeyCandidate]
  /// The usual names of an identity, tried when the object lacks the own key. A value under the own key that can't be read
  /// is no reason to try them: the model said where its identity is.
  let aliases: [KeyCandidate]

  init?(of entity: Entity, style: KeyStyle, keys: inout KeyTable) {
    guard let attribute = entity.identity, let index = entity.identityIndex else { return nil }
    self.attribute = attribute
    self.index = index
    let names = IdentityKeys(of: entity.description, style: style)
    own = names.own.map { KeyCandidate($0, in: &keys) }
    aliases = names.aliases.map { KeyCandidate($0, in: &keys) }
  }

  /// The identity of an object; nil if there is none that can be read.
  @inline(__always)
  func find(in values: RowValues) -> Found? {
    var isOwnPresent = false
    for candidate in own {
      guard let node = values.value(candidate) else { continue }
      if let result = Coercion.convert(node, to: attribute.type) { return Found(node: node, value: result.value) }
      isOwnPresent = true
    }
    if isOwnPresent { return nil }
    for candidate in aliases {
      guard let node = values.value(candidate), let result = Coercion.convert(node, to: attribute.type)
      else { continue }
      return Found(node: node, value: result.value)
    }
    return nil
  }

  /// An identity and where it stands.
  struct Found {
    let node: PayloadValue
    let value: CoercedValue
  }
}

/// The payload keys of an entity's identity.
package struct IdentityKeys: Sendable, Equatable {
  /// The forms of the key that the model names.
  package var own: [String] = []
  /// The usual names.
  package var aliases: [String] = []

  /// No keys.
  private init() {}

  /// The keys of an entity that has an identity.
  package init(of entity: EntityDescription, style: KeyStyle) {
    guard let identity = entity.attributes.first(where: { $0.name == entity.identity }) else {
      self.init()
      return
    }
    let otherKeys =
      entity.attributes.filter { $0.name != entity.identity }.map { $0.remoteKey?.nonEmpty ?? $0.name }
      + entity.relationships.compactMap { $0.remoteKey?.nonEmpty }
    self.init(
      name: identity.name, explicitKey: entity.identityRemoteKey?.nonEmpty ?? identity.remoteKey, otherKeys: otherKeys,
      style: style)
  }

  /// The keys of an identity by the name of its attribute, and the key that an annotation gives it. Keys that other properties are
  /// read from don't name the row.
  package init(name: String, explicitKey: String?, otherKeys: [String], style: KeyStyle) {
    let explicitKey = explicitKey?.nonEmpty
    if explicitKey != nil || !KeyCandidates.identityKeys.contains(name) {
      own = KeyCandidates.styled(explicitKey ?? name, in: style)
    }
    let claimed = Set(otherKeys.flatMap { KeyCandidates.styled($0, in: style) })
    aliases = KeyCandidates.unique(
      KeyCandidates.candidates(for: "id", in: style) + KeyCandidates.candidates(for: "remoteID", in: style)
    ).filter { !claimed.contains($0) && !own.contains($0) }
  }
}
