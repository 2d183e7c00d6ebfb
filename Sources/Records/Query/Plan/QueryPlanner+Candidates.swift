import KeyValueStore

extension QueryPlanner {
  /// The places where all rows are for which conditions are true.
  func candidates(
    for conjuncts: [Condition], _ constraints: [(position: Int, constraint: FieldConstraint)], total: Int
  ) throws -> [Candidate] {
    var result: [Candidate] = []
    for index in query.entity.indexes {
      guard let access = IndexAccess(index, constraints) else { continue }
      let estimate = try estimate(of: access, total: total)
      let cost = Double(estimate.count) * Cost.entry + Double(access.intervals.count)
      result.append(Candidate(source: .index(access), estimate: estimate, cost: cost, covered: access.covered))
    }
    for (position, condition) in conjuncts.enumerated() {
      switch condition {
      case .never:
        let none = RowEstimate(count: 0, isCounted: true)
        result.append(Candidate(source: .rows([]), estimate: none, cost: 0, covered: [position]))
      case .isRow(let rows):
        let rows = Array(Set(rows)).sorted()
        result.append(
          Candidate(
            source: .rows(rows), estimate: RowEstimate(count: rows.count, isCounted: true), cost: 0, covered: [position]
          ))
      case .destination(let relationship, let condition) where !relationship.isToMany:
        result += try links(over: relationship, to: condition, position: position, total: total)
      case .anyMember(let relationship, let condition) where relationship.isToMany:
        result += try links(over: relationship, to: condition, position: position, total: total)
      case .any(let parts):
        if let union = try union(of: parts, total: total) { result.append(union) }
      default: break
      }
    }
    return result
  }

  /// What conditions say about fields that are in an index.
  static func constraints(
    in conjuncts: [Condition], of entity: Entity
  ) -> [(position: Int, constraint: FieldConstraint)] {
    if entity.indexes.isEmpty { return [] }
    return conjuncts.enumerated().compactMap { position, condition in
      guard let field = condition.field,
        entity.indexes.contains(where: { $0.attributes.contains { $0.field == field } })
      else { return nil }
      return FieldConstraint(condition, of: entity).map { (position, $0) }
    }
  }

  /// The rows that are linked to rows of another entity for which a condition is true.
  private func links(
    over relationship: Relationship, to condition: Condition, position: Int, total: Int
  ) throws -> [Candidate] {
    // Another entity's relationship is an error, which compiling the condition finds.
    guard relationship.entity == query.entity.id else { return [] }
    let direction = snapshot.catalog.inverse(of: relationship.direction)
    let destination = snapshot.catalog.entities[relationship.direction.destinationSlot]
    let origin = try snapshot.plan(RecordQuery(destination, where: condition))
    let estimate = try estimate(of: direction, from: origin, total: total)
    let access = LinkAccess(
      origin: origin, direction: direction, hasRepetitions: relationship.isToMany)
    var originCost = Double(origin.estimate.count) * Cost.lookedUpRecord
    if case .everything = origin.source { originCost = Double(origin.estimate.count) }
    return [
      Candidate(
        source: .links(access), estimate: estimate, cost: originCost + Double(estimate.count) * Cost.entry,
        covered: [position])
    ]
  }

  /// The rows of which at least one of several conditions is true; nil when one of these can be true of any row.
  private func union(of parts: [Condition], total: Int) throws -> Candidate? {
    var sources: [Source] = []
    var count = 0
    var cost = 0.0
    for part in parts {
      // What a part covers is not covered by the union, in which other parts have rows of which it is not true.
      let conjuncts = part.conjuncts
      let constraints = QueryPlanner.constraints(in: conjuncts, of: query.entity)
      let candidates = try candidates(for: conjuncts, constraints, total: total)
      guard let best = candidates.min(by: { $0.estimate.count < $1.estimate.count }) else { return nil }
      sources.append(best.source)
      count += best.estimate.count
      cost += best.cost
    }
    return Candidate(
      source: .union(sources), estimate: RowEstimate(count: min(count, total), isCounted: false), cost: cost)
  }
}

extension Condition {
  /// The one field that the condition is about; nil when it is about more, or about something else.
  fileprivate var field: FieldIndex? {
    switch self {
    case .isNull(.field(let field)), .compare(.field(let field), _, .constant), .oneOf(.field(let field), _),
      .text(.field(let field), _, .constant):
      field
    case .not(let condition): condition.field
    default: nil
    }
  }
}
