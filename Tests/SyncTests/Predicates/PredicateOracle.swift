import Foundation

@testable import Sync

/// Asks a predicate of objects in memory, by what docs/predicate-format.md says it means, without a store.
struct PredicateOracle {
  let world: PredicateWorld

  /// Where an object is.
  struct Place: Hashable {
    var table: String
    var position: Int
  }

  /// What a path leads to.
  enum Value: Hashable {
    case value(AttributeValue)
    case object(Place)
  }

  func isTrue(_ predicate: ObjectPredicate, of place: Place) -> Bool {
    switch predicate {
    case .constant(let value): value
    case .and(let parts): parts.allSatisfy { isTrue($0, of: place) }
    case .or(let parts): parts.contains { isTrue($0, of: place) }
    case .not(let predicate): !isTrue(predicate, of: place)
    case .comparison(let comparison): isTrue(comparison, of: place)
    }
  }

  private func isTrue(_ comparison: ObjectPredicate.Comparison, of place: Place) -> Bool {
    let left = values(comparison.left, of: place)
    let test = { (value: Value?) in
      isTrue(value, comparison.operation, comparison.right, comparison.options, of: place)
    }
    return switch comparison.modifier {
    case .direct: test(left.first ?? nil)
    case .any: left.contains(where: test)
    case .all: left.allSatisfy(test)
    }
  }

  private func isTrue(
    _ left: Value?, _ operation: ObjectPredicate.Operation, _ right: ObjectExpression,
    _ options: ObjectPredicate.Options, of place: Place
  ) -> Bool {
    if case .list(let elements) = right {
      let values = elements.map { self.values($0, of: place).first ?? nil }
      if operation == .isIn { return values.contains { areEqual(left, $0, options) } }
      return values.count == 2 && isOrdered(left, values[0]) { $0 >= 0 } && isOrdered(left, values[1]) { $0 <= 0 }
    }
    let other = values(right, of: place).first ?? nil
    switch operation {
    case .equal: return areEqual(left, other, options)
    case .notEqual: return !areEqual(left, other, options)
    case .less: return isOrdered(left, other) { $0 < 0 }
    case .lessOrEqual: return isOrdered(left, other) { $0 <= 0 }
    case .greater: return isOrdered(left, other) { $0 > 0 }
    case .greaterOrEqual: return isOrdered(left, other) { $0 >= 0 }
    case .beginsWith: return matches(left, other, options) { $0.hasPrefix($1) }
    case .endsWith: return matches(left, other, options) { $0.hasSuffix($1) }
    case .contains: return matches(left, other, options) { $1.isEmpty || $0.contains($1) }
    default: return false
    }
  }

  // MARK: Values

  /// What an expression is: one value or nil, or all that a to-many relationship leads to.
  private func values(_ expression: ObjectExpression, of place: Place) -> [Value?] {
    switch expression {
    case .null: return [nil]
    case .value(let value): return [.value(value)]
    case .object(let id):
      return [
        .object(Place(table: id.entityName == "Pilot" ? "Person" : id.entityName, position: Int(id.row.rawValue) - 1))
      ]
    case .selfObject: return [.object(place)]
    case .keyPath(let path): return follow(path, from: place)
    case .collection(let path, .count, _): return [.value(.integer(Int64(follow(path, from: place).count)))]
    case .collection(let path, let operation, let member):
      let values = follow("\(path).\(member ?? "")", from: place).compactMap(\.self)
      let sorted = values.sorted { (order($0, $1) ?? 0) < 0 }
      return [operation == .max ? sorted.last : sorted.first]
    case .count(let path, let predicate):
      let members = follow(path, from: place).filter { value in
        guard case .object(let member)? = value else { return false }
        return isTrue(predicate, of: member)
      }
      return [.value(.integer(Int64(members.count)))]
    case .arithmetic(let left, let operation, let right):
      guard let left = number(values(left, of: place).first ?? nil),
        let right = number(values(right, of: place).first ?? nil)
      else { return [nil] }
      switch operation {
      case .add: return [.value(.double(left + right))]
      case .subtract: return [.value(.double(left - right))]
      case .multiply: return [.value(.double(left * right))]
      case .divide: return [nil]
      }
    case .negated(let operand): return [number(values(operand, of: place).first ?? nil).map { .value(.double(-$0)) }]
    case .list: return []
    }
  }

  private func follow(_ path: String, from place: Place) -> [Value?] {
    var current: [Place?] = [place]
    var entity = world.objects[place.table]?[place.position].entity ?? place.table
    var names = path.split(separator: ".").map(String.init)[...]
    while let name = names.popFirst() {
      guard let relationship = world.model.entity(named: entity)?.relationship(named: name) else {
        return current.map { place in
          place.flatMap { world.objects[$0.table]?[$0.position].values[name] }.map { .value($0) }
        }
      }
      entity = relationship.destination
      current = current.flatMap { (place: Place?) -> [Place?] in
        let links = place.flatMap { world.objects[$0.table]?[$0.position].links[name] } ?? []
        if relationship.isToMany || !links.isEmpty {
          return links.map { Place(table: relationship.destination, position: $0) }
        }
        return [nil]
      }
    }
    return current.map { $0.map { .object($0) } }
  }

  // MARK: Comparisons

  private func areEqual(_ left: Value?, _ right: Value?, _ options: ObjectPredicate.Options) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    if !options.isEmpty { return matches(left, right, options) { $0 == $1 } }
    if case .object = left { return left == right }
    return order(left, right) == 0
  }

  private func isOrdered(_ left: Value?, _ right: Value?, _ holds: (Int) -> Bool) -> Bool {
    guard let left, let right, let order = order(left, right) else { return false }
    return holds(order)
  }

  private func order(_ left: Value, _ right: Value) -> Int? {
    if let left = number(left), let right = number(right) { return left < right ? -1 : left == right ? 0 : 1 }
    switch (left, right) {
    case (.value(.string(let left)), .value(.string(let right))): return left < right ? -1 : left == right ? 0 : 1
    case (.value(.date(let left)), .value(.date(let right))): return left < right ? -1 : left == right ? 0 : 1
    default: return nil
    }
  }

  private func number(_ value: Value?) -> Double? {
    switch value {
    case .value(.integer(let value))?: Double(value)
    case .value(.double(let value))?: value
    case .value(.boolean(let value))?: value ? 1 : 0
    default: nil
    }
  }

  private func matches(
    _ left: Value?, _ right: Value?, _ options: ObjectPredicate.Options, _ test: (String, String) -> Bool
  ) -> Bool {
    guard case .value(.string(var left))? = left, case .value(.string(var right))? = right else { return false }
    if options.contains(.caseInsensitive) { (left, right) = (left.lowercased(), right.lowercased()) }
    if options.contains(.diacriticInsensitive) {
      (left, right) = (left.replacingOccurrences(of: "é", with: "e"), right.replacingOccurrences(of: "é", with: "e"))
    }
    return test(left, right)
  }
}
