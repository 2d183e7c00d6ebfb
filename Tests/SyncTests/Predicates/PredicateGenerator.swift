import Foundation
import TestSupport

@testable import Sync

/// Makes random predicates that fit the people and notes of a `PredicateWorld`.
struct PredicateGenerator {
  var random: SplitMix64

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  /// Paths from a person or a note, with the types of what they lead to. An entity's name as type is a relationship to it.
  private static let paths: [String: (single: [(String, String)], several: [(String, String)])] = [
    "Person": (
      [
        ("name", "text"), ("age", "number"), ("score", "number"), ("done", "truth"), ("born", "date"),
        ("boss", "Person"),
        ("boss.name", "text"), ("boss.boss.age", "number"), ("boss.boss", "Person"),
      ],
      [
        ("notes", "Note"), ("notes.text", "text"), ("notes.size", "number"), ("staff.age", "number"),
        ("boss.notes.text", "text"),
        ("notes.tags", "Tag"), ("notes.tags.label", "text"), ("staff.boss", "Person"),
        ("staff.notes.author.name", "text"),
        ("boss.staff.notes", "Note"), ("staff.boss.boss.born", "date"),
      ]
    ),
    "Note": (
      [
        ("text", "text"), ("size", "number"), ("author", "Person"), ("author.name", "text"),
        ("author.boss.score", "number"),
        ("author.done", "truth"),
      ],
      [("tags", "Tag"), ("tags.label", "text"), ("author.notes.size", "number"), ("tags.notes", "Note")]
    ),
  ]

  mutating func predicate(of entity: String, depth: Int = 3) -> ObjectPredicate {
    switch random.below(depth > 0 ? 8 : 5) {
    case 5: return .and([predicate(of: entity, depth: depth - 1), predicate(of: entity, depth: depth - 1)])
    case 6:
      return .or((0..<(2 + random.below(2))).map { _ in predicate(of: entity, depth: depth - 1) })
    case 7: return .not(predicate(of: entity, depth: depth - 1))
    default: return random.chance(5) ? .constant(random.chance(50)) : comparison(of: entity, depth: depth)
    }
  }

  private mutating func comparison(of entity: String, depth: Int) -> ObjectPredicate {
    guard let paths = PredicateGenerator.paths[entity] else { return .constant(true) }
    switch random.below(10) {
    case 0: return numbers(.collection(path: members(entity), operation: .count, member: nil))
    case 1 where depth > 0:
      let (path, destination) = entity == "Person" ? ("notes", "Note") : ("author.staff", "Person")
      return numbers(.count(path: path, of: predicate(of: destination, depth: depth - 1)))
    case 2:
      let (path, member) =
        entity == "Person"
        ? random.pick([("notes", "size"), ("staff", "boss.age"), ("boss.staff", "age")]) ?? ("notes", "size")
        : ("author.notes", "size")
      return compared(
        .collection(path: path, operation: random.chance(50) ? .max : .min, member: member),
        random.pick([.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]) ?? .equal,
        random.chance(10) ? .null : number())
    case 3: return numbers(calculation(entity == "Person" ? ["age", "score", "boss.age"] : ["size", "author.age"]))
    case 4:
      let right: ObjectExpression = .keyPath(entity == "Person" ? "boss.age" : "author.age")
      return compared(
        .keyPath(entity == "Person" ? "age" : "size"), random.pick([.equal, .less, .notEqual]) ?? .equal, right)
    case 5...6:
      guard let (path, type) = random.pick(paths.several) else { return .constant(true) }
      return compared(.keyPath(path), to: type, random.chance(70) ? .any : .all)
    default:
      guard let (path, type) = random.pick(paths.single) else { return .constant(true) }
      return compared(random.chance(5) ? .selfObject : .keyPath(path), to: type, .direct, entity)
    }
  }

  private func members(_ entity: String) -> String { entity == "Person" ? "boss.notes" : "tags" }

  private mutating func compared(
    _ left: ObjectExpression, to type: String, _ modifier: ObjectPredicate.Modifier, _ entity: String = ""
  ) -> ObjectPredicate {
    let type = left == .selfObject ? entity : type
    var comparison = ObjectPredicate.Comparison(left, .equal, .null, modifier: modifier)
    switch type {
    case "text":
      comparison.options = random.pick([[], [], .caseInsensitive, [.caseInsensitive, .diacriticInsensitive]]) ?? []
      comparison.operation = random.pick([.equal, .notEqual, .beginsWith, .endsWith, .contains, .isIn]) ?? .equal
      if random.chance(20), comparison.options.isEmpty { comparison.operation = .less }
      comparison.right = value(.string)
    case "truth":
      comparison.operation = random.chance(50) ? .equal : .notEqual
      comparison.right = value(.boolean)
    case "number", "date":
      comparison.operation =
        random.pick([.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .isIn, .between]) ?? .equal
      comparison.right = type == "date" ? value(.date) : number()
    default:
      comparison.operation = random.pick([.equal, .notEqual, .isIn]) ?? .equal
      comparison.right = .object(ManagedObjectID(entityName: type, row: .init(rawValue: UInt64(1 + random.below(5)))))
    }
    let isObject = !["text", "truth", "number", "date"].contains(type)
    let takesNull =
      [.equal, .notEqual, .isIn].contains(comparison.operation)
      && (comparison.options.isEmpty || comparison.operation == .isIn)
    if takesNull, random.chance(15), !isObject || left != .selfObject { comparison.right = .null }
    if comparison.operation == .isIn {
      let more = (0..<random.below(3)).map { _ in
        isObject ? comparison.right : type == "text" ? value(.string) : type == "date" ? value(.date) : number()
      }
      comparison.right = .list([comparison.right] + more)
    }
    if comparison.operation == .between {
      comparison.right = .list([comparison.right, type == "date" ? value(.date) : number()])
    }
    return .comparison(comparison)
  }

  private mutating func numbers(_ left: ObjectExpression) -> ObjectPredicate {
    compared(left, random.pick([.equal, .less, .greaterOrEqual, .notEqual]) ?? .equal, number())
  }

  private func compared(
    _ left: ObjectExpression, _ operation: ObjectPredicate.Operation, _ right: ObjectExpression
  ) -> ObjectPredicate {
    .comparison(ObjectPredicate.Comparison(left, operation, right))
  }

  private mutating func calculation(_ paths: [String]) -> ObjectExpression {
    let left = ObjectExpression.keyPath(random.pick(paths) ?? "")
    if random.chance(20) { return .negated(left) }
    let right = random.chance(50) ? number() : .keyPath(random.pick(paths) ?? "")
    return .arithmetic(left, random.pick([.add, .subtract, .multiply]) ?? .add, right)
  }

  private mutating func number() -> ObjectExpression { value(random.chance(70) ? .integer16 : .double) }

  private mutating func value(_ type: ModelAttribute.AttributeType) -> ObjectExpression {
    .value(PredicateWorld.value(of: type, &random))
  }
}
