extension Condition {
  /// The condition as `explain` shows it, with the names of an entity's properties.
  func text(in entity: Entity, _ catalog: Catalog) -> String {
    switch self {
    case .always: "true"
    case .never: "false"
    case .all(let parts): Condition.list(parts, separator: "&&", in: entity, catalog)
    case .any(let parts): Condition.list(parts, separator: "||", in: entity, catalog)
    case .not(let condition): "!(\(condition.text(in: entity, catalog)))"
    case .isNull(let operand): "\(operand.text(in: entity, catalog)) == null"
    case .compare(let left, let comparison, let right):
      "\(left.text(in: entity, catalog)) \(comparison.text) \(right.text(in: entity, catalog))"
    case .oneOf(let operand, let values):
      "\(operand.text(in: entity, catalog)) in \(Condition.list(values.map(\.shortText)))"
    case .text(let operand, let match, let pattern):
      "\(operand.text(in: entity, catalog)) \(match.text) \(pattern.text(in: entity, catalog))"
    case .isRow(let rows):
      rows.count == 1 ? "row == \(rows[0].rawValue)" : "row in \(Condition.list(rows.map { "\($0.rawValue)" }))"
    case .destination(let relationship, .always): "\(relationship.name) != null"
    case .destination(let relationship, let condition):
      "\(relationship.name).(\(condition.text(across: relationship, catalog)))"
    case .anyMember(let relationship, .always): "any \(relationship.name)"
    case .anyMember(let relationship, let condition):
      "any \(relationship.name).(\(condition.text(across: relationship, catalog)))"
    case .allMembers(let relationship, let condition):
      "all \(relationship.name).(\(condition.text(across: relationship, catalog)))"
    }
  }

  /// The condition on the rows at the far end of a relationship.
  func text(across relationship: Relationship, _ catalog: Catalog) -> String {
    text(in: catalog.entities[relationship.direction.destinationSlot], catalog)
  }

  private static func list(_ parts: [Condition], separator: String, in entity: Entity, _ catalog: Catalog) -> String {
    guard parts.count != 1 else { return parts[0].text(in: entity, catalog) }
    if parts.isEmpty { return separator == "&&" ? "true" : "false" }
    return parts.map { part in
      switch part {
      case .all, .any: "(\(part.text(in: entity, catalog)))"
      default: part.text(in: entity, catalog)
      }
    }.joined(separator: " \(separator) ")
  }

  /// The first elements and how many more there are, so that a description stays readable.
  private static func list(_ elements: [String]) -> String {
    let rest = elements.count - 5
    return "[" + elements.prefix(5).joined(separator: ", ") + (rest > 0 ? " and \(rest) more]" : "]")
  }
}

extension TextMatch {
  fileprivate var text: String {
    let place =
      switch place {
      case .contains: "contains"
      case .hasPrefix: "begins with"
      case .hasSuffix: "ends with"
      case .equals: "equals"
      }
    return switch folding {
    case .exact: place
    case .caseInsensitive: "\(place) [case-insensitive]"
    case .localizedStandard: "\(place) [localized standard]"
    }
  }
}

extension Operand {
  /// The operand as `explain` and errors show it.
  func text(in entity: Entity, _ catalog: Catalog) -> String {
    switch self {
    case .constant(let value): value.shortText
    case .field(let field): entity.nameOfField(field)
    case .destination(let relationship, let operand):
      "\(relationship.name).\(operand.text(across: relationship, catalog))"
    case .memberCount(let relationship, .always): "\(relationship.name).count"
    case .memberCount(let relationship, let condition):
      "\(relationship.name).(\(condition.text(across: relationship, catalog))).count"
    case .arithmetic(let left, let operation, let right):
      "(\(left.text(in: entity, catalog)) \(operation.rawValue) \(right.text(in: entity, catalog)))"
    case .negated(let operand): "-\(operand.text(in: entity, catalog))"
    case .length(let operand): "\(operand.text(in: entity, catalog)).count"
    case .coalesce(let first, let second): "(\(first.text(in: entity, catalog)) ?? \(second.text(in: entity, catalog)))"
    case .conditional(let condition, let first, let second):
      "(\(condition.text(in: entity, catalog)) ? \(first.text(in: entity, catalog)) : \(second.text(in: entity, catalog)))"
    case .truth(let condition): "(\(condition.text(in: entity, catalog)))"
    }
  }

  private func text(across relationship: Relationship, _ catalog: Catalog) -> String {
    text(in: catalog.entities[relationship.direction.destinationSlot], catalog)
  }
}

extension Entity {
  /// The name of the attribute or to-one relationship that a field holds.
  func nameOfField(_ field: FieldIndex) -> String {
    attributes.first { $0.field == field }?.name ?? relationships.first { $0.field == field }?.name ?? "field \(field)"
  }
}

extension FieldValue {
  /// The value without most of a long text.
  fileprivate var shortText: String {
    guard case .string(let value) = self, value.utf8.count > 100 else { return text }
    return value.prefix(80).debugDescription + "…"
  }
}
