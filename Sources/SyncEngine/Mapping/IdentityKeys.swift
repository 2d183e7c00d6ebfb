import Records

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
