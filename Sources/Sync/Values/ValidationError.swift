import Records

/// Why an object can't be saved as it is. Each case names the entity and the property.
public enum ValidationError: Error, Sendable, Hashable {
  /// An attribute that is not optional has no value.
  case missingValue(entity: String, attribute: String)
  /// A value, or the number of a text's characters, is less than the least that is allowed.
  case tooSmall(entity: String, attribute: String, value: String, minimum: String)
  /// A value, or the number of a text's characters, is greater than the greatest that is allowed.
  case tooLarge(entity: String, attribute: String, value: String, maximum: String)
  /// A text does not match its attribute's regular expression.
  case patternMismatch(entity: String, attribute: String, value: String, pattern: String)
  /// A relationship that is not optional leads to nothing.
  case missingDestination(entity: String, relationship: String)
  /// A relationship leads to fewer objects than it has to.
  case tooFewMembers(entity: String, relationship: String, count: Int, minimum: Int)
  /// A relationship leads to more objects than it may.
  case tooManyMembers(entity: String, relationship: String, count: Int, maximum: Int)
  /// An object is not deleted while it is linked to others: by a relationship whose delete rule is Deny, or because a relationship of
  /// theirs that is not optional leads to it. The relationship is named with its entity.
  case deletionDenied(entity: String, relationship: String, blockerCount: Int)
}

extension ValidationError: CustomStringConvertible {
  /// The error as a sentence.
  public var description: String {
    switch self {
    case .missingValue(let entity, let attribute):
      "\(entity).\(attribute) is not optional and has no value."
    case .tooSmall(let entity, let attribute, let value, let minimum):
      "\(entity).\(attribute) is \(value), and at least \(minimum) is required."
    case .tooLarge(let entity, let attribute, let value, let maximum):
      "\(entity).\(attribute) is \(value), and at most \(maximum) is allowed."
    case .patternMismatch(let entity, let attribute, let value, let pattern):
      "\(entity).\(attribute) is \(value), which does not match \(pattern)."
    case .missingDestination(let entity, let relationship):
      "\(entity).\(relationship) is not optional and leads to nothing."
    case .tooFewMembers(let entity, let relationship, let count, let minimum):
      "\(entity).\(relationship) has \(count) members, and needs at least \(minimum)."
    case .tooManyMembers(let entity, let relationship, let count, let maximum):
      "\(entity).\(relationship) has \(count) members, and may have at most \(maximum)."
    case .deletionDenied(let entity, let relationship, let blockerCount):
      "An object of \(entity) can't be deleted while \(relationship) links it to \(blockerCount) others."
    }
  }
}

extension RecordError {
  /// What the store finds out only in its transaction, in the words of a model.
  var inTermsOfModel: any Error {
    switch self {
    case .missingRequiredValue(let entity, let attribute):
      ValidationError.missingValue(entity: entity, attribute: attribute)
    case .missingDestination(let entity, _, let relationship):
      ValidationError.missingDestination(entity: entity, relationship: relationship)
    case .deleteDenied(let entity, _, let relationship, let blockers):
      ValidationError.deletionDenied(entity: entity, relationship: relationship, blockerCount: blockers.count)
    case .uniqueConflict(let table, let attributes, let value, let row, let otherRow)
    where attributes.first == StoredModel.entityAttribute:
      // Entities that share a table have constraints of their own, whose first part is the entity's name.
      RecordError.uniqueConflict(
        entity: value.split(separator: "\"").first.map { String($0) } ?? table,
        attributes: Array(attributes.dropFirst()),
        value: value.firstRange(of: ", ").map { String(value[$0.upperBound...]) } ?? value, row: row, otherRow: otherRow
      )
    default: self
    }
  }
}
