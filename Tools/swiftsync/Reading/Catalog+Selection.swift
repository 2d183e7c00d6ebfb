import Records

extension Catalog {
  /// The entity with a name, or all of them when there is no name.
  ///
  /// - Throws: `UnknownEntity`, which names those that there are.
  func entities(named name: String?) throws(UnknownEntity) -> [Entity] {
    guard let name else { return entities }
    guard let entity = entity(named: name) else {
      throw UnknownEntity(name: name, known: entities.map(\.name))
    }
    return [entity]
  }
}

/// The store has no entity of that name.
struct UnknownEntity: Error, Equatable, CustomStringConvertible {
  let name: String
  let known: [String]

  var description: String {
    known.isEmpty
      ? "There is no entity '\(name)'; the store has none at all."
      : "There is no entity '\(name)'; there are \(known.joined(separator: ", "))."
  }
}
