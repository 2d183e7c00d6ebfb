import FoundationEssentials
import TestSupport

@testable import Records

/// Makes random conditions, operands and queries that fit the entities of a `QueryWorld`.
struct QueryGenerator {
  let catalog: Catalog
  let world: QueryWorld
  var random: SplitMix64

  mutating func query() -> RecordQuery? {
    guard let entity = catalog.entity(named: random.chance(70) ? "Item" : random.chance(50) ? "Box" : "Tag") else {
      return nil
    }
    var query = RecordQuery(entity, where: condition(entity, depth: random.below(4)))
    query.order = random.chance(60) ? (0...random.below(3)).map { _ in orderTerm(entity) } : []
    if random.chance(30) { query.limit = random.below(8) }
    if random.chance(30) { query.offset = random.below(6) }
    if random.chance(20) { query.excluding = Set((0..<random.below(10)).map { _ in row(of: entity) }) }
    return query
  }

  private mutating func orderTerm(_ entity: Entity) -> OrderTerm {
    let isAscending = random.chance(60)
    if random.chance(15) { return OrderTerm(number(entity), ascending: isAscending) }
    if random.chance(15), let relationship = relationship(of: entity, isToMany: false) {
      let other = catalog.entities[relationship.direction.destinationSlot]
      return OrderTerm(.destination(relationship, .field(attribute(of: other).field)), ascending: isAscending)
    }
    return OrderTerm(.field(attribute(of: entity).field), ascending: isAscending)
  }

  mutating func condition(_ entity: Entity, depth: Int) -> Condition {
    guard depth > 0 else { return leaf(entity) }
    switch random.below(9) {
    case 0, 1, 2: return .all((0...random.below(3)).map { _ in condition(entity, depth: depth - 1) })
    case 3, 4: return .any((0...random.below(3)).map { _ in condition(entity, depth: depth - 1) })
    case 5: return .not(condition(entity, depth: depth - 1))
    case 6:
      guard let relationship = relationship(of: entity, isToMany: false) else { return leaf(entity) }
      let other = catalog.entities[relationship.direction.destinationSlot]
      return .destination(relationship, condition(other, depth: depth - 1))
    case 7:
      guard let relationship = relationship(of: entity, isToMany: true) else { return leaf(entity) }
      let other = catalog.entities[relationship.direction.destinationSlot]
      let condition = condition(other, depth: depth - 1)
      return random.chance(50) ? .anyMember(relationship, condition) : .allMembers(relationship, condition)
    default:
      return .compare(
        .conditional(condition(entity, depth: depth - 1), number(entity), number(entity)), comparison(), number(entity))
    }
  }

  private mutating func leaf(_ entity: Entity) -> Condition {
    let attribute = attribute(of: entity)
    let field = attribute.field
    switch random.below(17) {
    case 0: return random.chance(50) ? .always : .never
    case 1: return .isNull(field)
    case 2: return .not(.isNull(field))
    case 3: return .oneOf(field, (0..<random.below(5)).map { _ in constant(for: attribute) })
    case 4, 5:
      let texts = entity.attributes.filter { $0.type == .string || $0.type == .url }
      guard let text = random.pick(texts) else { return .never }
      return .text(text.field, match(), QueryWorld.text(&random))
    case 6: return .isRow((0..<random.below(6)).map { _ in row(of: entity) })
    case 7:
      guard let relationship = relationship(of: entity, isToMany: false) else { return .always }
      let other = catalog.entities[relationship.direction.destinationSlot]
      return .destination(
        relationship, random.chance(30) ? .always : .isRow((0...random.below(2)).map { _ in row(of: other) }))
    case 8:
      guard let relationship = relationship(of: entity, isToMany: true) else { return .always }
      let other = catalog.entities[relationship.direction.destinationSlot]
      return .anyMember(relationship, random.chance(30) ? .always : .isRow([row(of: other)]))
    case 9:
      guard let relationship = relationship(of: entity, isToMany: true) else { return .never }
      return .memberCount(relationship, comparison(), random.below(4))
    case 10: return .compare(number(entity), comparison(), number(entity))
    case 11:
      guard let relationship = relationship(of: entity, isToMany: false) else { return .never }
      let other = self.attribute(of: catalog.entities[relationship.direction.destinationSlot])
      let operand = Operand.destination(relationship, .field(other.field))
      switch random.below(3) {
      case 0: return .isNull(operand)
      case 1: return .oneOf(operand, (0..<random.below(3)).map { _ in constant(for: other) })
      default: return .compare(operand, comparison(), .constant(constant(for: other)))
      }
    case 12:
      return .compare(
        .coalesce(.field(field), .constant(value(attribute))), comparison(), .constant(constant(for: attribute)))
    case 13:
      let other = self.attribute(of: entity)
      return .compare(.field(field), comparison(), .field(other.type == attribute.type ? other.field : field))
    case 14:
      return .all([
        .compare(field, random.chance(50) ? .greater : .greaterOrEqual, constant(for: attribute)),
        .compare(field, random.chance(50) ? .less : .lessOrEqual, constant(for: attribute)),
      ])
    default: return .compare(field, comparison(), constant(for: attribute))
    }
  }

  /// An operand that gives an integer or a null, and never overflows.
  private mutating func number(_ entity: Entity) -> Operand {
    let field = entity.attribute(named: "small") ?? entity.attribute(named: "rank")
    guard let field else { return .length(.field(entity.attributes[0].field)) }
    switch random.below(7) {
    case 0: return .arithmetic(.field(field.field), .add, .constant(.int(Int64(random.below(5)))))
    case 1: return .arithmetic(.field(field.field), .multiply, .constant(.int(Int64(random.below(5)) - 2)))
    case 2: return .arithmetic(.field(field.field), .remainder, .constant(.int(3)))
    case 3: return .negated(.field(field.field))
    case 4: return .length(.field((entity.attribute(named: "name") ?? entity.attributes[0]).field))
    case 5:
      guard let relationship = relationship(of: entity, isToMany: true) else { return .field(field.field) }
      return .memberCount(relationship, where: leaf(catalog.entities[relationship.direction.destinationSlot]))
    default: return .coalesce(.field(field.field), .constant(.int(Int64(random.below(3)))))
    }
  }

  /// What a field is compared with: mostly a value that it may have, sometimes a number of another type.
  private mutating func constant(for attribute: Attribute) -> FieldValue {
    if random.chance(8) { return .null }
    switch attribute.type {
    case .int16, .int32, .int64, .uint64, .double, .float:
      switch random.below(6) {
      case 0: return .double(Double(random.below(10)) / 2 - 2)
      case 1: return .uint(random.integer())
      case 2: return .int(random.integer())
      case 3: return .double(random.chance(20) ? .nan : random.double())
      default: return value(attribute)
      }
    case .decimal: return random.chance(30) ? .int(Int64(random.below(5)) - 2) : value(attribute)
    default: return random.chance(3) ? .int(1) : value(attribute)
    }
  }

  /// A value of the attribute, preferably one that a row has.
  private mutating func value(_ attribute: Attribute) -> FieldValue {
    if random.chance(50) { return QueryWorld.value(of: attribute.type, &random) }
    let all = (world.rows["Item"] ?? []).compactMap { $0.values[attribute.name] }
    return random.pick(all) ?? QueryWorld.value(of: attribute.type, &random)
  }

  private mutating func attribute(of entity: Entity) -> Attribute {
    entity.attributes[random.below(entity.attributes.count)]
  }

  private mutating func relationship(of entity: Entity, isToMany: Bool) -> Relationship? {
    random.pick(entity.relationships.filter { $0.isToMany == isToMany })
  }

  private mutating func row(of entity: Entity) -> RowNumber {
    RowNumber(rawValue: UInt64(random.below((world.rows[entity.name]?.count ?? 0) + 2)))
  }

  private mutating func comparison() -> Comparison {
    random.pick([.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]) ?? .equal
  }

  private mutating func match() -> TextMatch {
    TextMatch(
      random.pick([.contains, .hasPrefix, .hasSuffix, .equals]) ?? .contains,
      random.pick([.exact, .exact, .caseInsensitive, .localizedStandard]) ?? .exact)
  }
}
