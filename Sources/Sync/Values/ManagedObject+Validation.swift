extension ManagedObject {
  /// Checks that the object may be saved as it is. Of a stored object only what is edited is looked at.
  ///
  /// - Throws: The first `ValidationError`.
  final func validate() throws(ValidationError) {
    let isNew = state == .inserted
    for (position, place) in binding.attributes.enumerated() where isNew || values[position] != nil {
      try place.description.validate(fieldValue(at: position), of: entity.name)
    }
    for (position, place) in binding.relationships.enumerated() {
      if place.description.isToMany {
        guard place.description.hasMemberBounds, isNew || memberships[position] != nil else { continue }
        try place.description.validate(memberCount: members(at: position).count, of: entity.name)
      } else if isNew || destinations[position] != nil, !place.description.isOptional, destination(at: position) == nil
      {
        throw .missingDestination(entity: entity.name, relationship: place.description.name)
      }
    }
  }
}
