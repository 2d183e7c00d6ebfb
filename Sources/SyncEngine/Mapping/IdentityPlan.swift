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
  /// Whether values of other kinds are converted wherever they stand, and are errors where they can't be.
  let isConverted: Bool

  /// Nil if the store has no such attribute, or doesn't find rows by it.
  init?(_ mapped: MappedIdentity, of entity: Entity, keys: inout KeyTable) {
    guard let attribute = entity.identity, attribute.name == mapped.attribute, let index = entity.identityIndex
    else { return nil }
    self.attribute = attribute
    self.index = index
    own = mapped.own.map { KeyCandidate($0, of: .attributes, in: &keys) }
    aliases = mapped.aliases.map { KeyCandidate($0, of: .attributes, in: &keys) }
    isConverted = mapped.isConverted
  }

  /// The identity of an object; nil if there is none that can be read.
  @inline(__always)
  func find(in values: RowValues) -> Found? {
    var isOwnPresent = false
    for candidate in own {
      guard let node = values.value(candidate) else { continue }
      if let value = convert(node) { return Found(node: node, value: value) }
      isOwnPresent = true
    }
    if isOwnPresent { return nil }
    for candidate in aliases {
      guard let node = values.value(candidate), let value = convert(node) else { continue }
      return Found(node: node, value: value)
    }
    return nil
  }

  /// A value of another kind that loses something would be another object's identity.
  @inline(__always)
  private func convert(_ value: PayloadValue) -> CoercedValue? {
    isConverted ? Coercion.exact(value, to: attribute.type) : Coercion.convert(value, to: attribute.type)?.value
  }

  /// An identity and where it stands.
  struct Found {
    let node: PayloadValue
    let value: CoercedValue
  }

  /// The keys that it is looked for under, for messages.
  var keyNames: String { KeyCandidates.unique((own + aliases).map(\.name)).joined(separator: ", ") }

  /// Of an object without readable identity: the value that should be one, if that is an error.
  func unreadable(in values: RowValues) -> PayloadValue? {
    guard isConverted else { return nil }
    return (own + aliases).lazy.compactMap { values.value($0) }.first { !$0.isNull }
  }

  /// The identity that somebody refers to by a value; nil if it can't be one.
  @inline(__always)
  func reference(_ value: PayloadValue) -> CoercedValue? {
    isConverted ? Coercion.exact(value, to: attribute.type) : Coercion.reference(value, to: attribute.type)
  }
}
