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
        if isNew || memberships[position] != nil { try validateMembers(at: position) }
      } else if isNew || destinations[position] != nil, !place.description.isOptional, destination(at: position) == nil
      {
        throw .missingDestination(entity: entity.name, relationship: place.description.name)
      }
    }
  }

  private func validateMembers(at position: Int) throws(ValidationError) {
    let relationship = binding.relationships[position].description
    let hasBounds = relationship.minCount > 0 || relationship.maxCount != nil || !relationship.isOptional
    guard hasBounds else { return }
    let count = members(at: position).count
    let minimum = relationship.isOptional ? relationship.minCount : max(relationship.minCount, 1)
    // An optional relationship may be empty, whatever the least number of its members.
    if count < minimum, !(relationship.isOptional && count == 0) {
      throw .tooFewMembers(
        entity: entity.name, relationship: relationship.name, count: count, minimum: minimum)
    }
    if let maximum = relationship.maxCount, count > maximum {
      throw .tooManyMembers(
        entity: entity.name, relationship: relationship.name, count: count, maximum: maximum)
    }
  }
}
