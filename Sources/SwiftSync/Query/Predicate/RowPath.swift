import Records

/// The way from a row to another along to-one relationships.
struct RowPath {
  private(set) var hops: [Relationship] = []
  /// What is at its end.
  private(set) var destination: ModelBinding

  init(_ destination: ModelBinding) {
    self.destination = destination
  }

  /// Whether it ends where it starts.
  var isEmpty: Bool { hops.isEmpty }

  func appending(_ relationship: Relationship, to destination: ModelBinding) -> RowPath {
    var path = self
    path.hops.append(relationship)
    path.destination = destination
    return path
  }

  /// A condition on the row at the end. False where the path leads nowhere.
  func condition(_ condition: Condition) -> Condition {
    if case .never = condition { return .never }
    return hops.reversed().reduce(condition) { .destination($1, $0) }
  }

  /// A value of the row at the end. Null where the path leads nowhere.
  func operand(_ operand: Operand) -> Operand {
    hops.reversed().reduce(operand) { .destination($1, $0) }
  }
}
