import Records

extension ModelBinding {
  /// The relationships that a key path leads along, and what of the rows at its end it names: one attribute, or everything.
  /// - Throws: `SyncReadError.noRelationship` for a key path that leads along none.
  func path(along keyPath: AnyKeyPath, in core: ContainerCore) throws -> (hops: [Relationship], properties: PropertySet)
  {
    guard let found = path(along: KeyPathComponents(keyPath), in: core), !found.hops.isEmpty else {
      throw SyncReadError.noRelationship(model: table.name, path: "\(keyPath)")
    }
    return found
  }

  private func path(
    along components: KeyPathComponents, in core: ContainerCore
  ) -> (hops: [Relationship], properties: PropertySet)? {
    if components.isEmpty { return ([], .everything) }
    for property in table.properties {
      guard let rest = components.dropping(property.keyPath) else { continue }
      guard let relationship = relationship(of: property.slot) else {
        return rest.isEmpty ? propertyIndex(of: property).map { ([], PropertySet([$0])) } : nil
      }
      let further = core.binding(of: relationship.destination)?.path(along: rest, in: core)
      return further.map { ([relationship] + $0.hops, $0.properties) }
    }
    return nil
  }
}
