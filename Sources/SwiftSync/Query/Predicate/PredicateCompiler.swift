import Foundation
import Records

/// Finds out what the expressions of a predicate mean for the rows of the store.
///
/// What it finds is exact for stored rows without unsaved edits. Where a predicate looks at other rows, of an entity of which
/// something is unsaved, the store cannot know, and the compiler says so.
final class PredicateCompiler {
  let core: ContainerCore
  let pending: PendingEntities
  private var meanings: [PredicateExpressions.VariableID: Meaning] = [:]
  /// How many closures over members enclose the expression that is being looked at. A condition speaks of one row, so a
  /// variable of an outer closure has no meaning in an inner one.
  private var depth = 1

  /// Where constants are computed.
  private lazy var constants = Evaluation(row: nil)

  private struct Meaning {
    let depth: Int
    let term: Term
  }

  /// - Parameters:
  ///   - core: The store.
  ///   - pending: What is unsaved in the context that asks.
  ///   - binding: The model of the rows that the predicate is about.
  ///   - variable: What stands for one of them in the predicate.
  init(
    core: ContainerCore, pending: PendingEntities, rowsOf binding: ModelBinding,
    as variable: PredicateExpressions.VariableID
  ) {
    self.core = core
    self.pending = pending
    bind(variable, to: Term(.object(RowPath(binding))))
  }

  // MARK: Expressions

  func term(of expression: some PredicateExpression) -> Term {
    guard let node = expression as? any PredicateNode else { return .unknown }
    return node.isSameForEveryRow ? constant(node) : node.term(in: self)
  }

  /// Where a Boolean expression is true.
  func judgement(of expression: some PredicateExpression) -> Judgement {
    term(of: expression).truth
  }

  /// The value of an expression that is the same for every row. One that cannot be computed is an error only if it is
  /// needed, which is known when rows are judged.
  private func constant(_ expression: some PredicateNode) -> Term {
    guard let value = try? expression.evaluator(in: constants)() else { return .unknown }
    return Term.constant(value)
  }

  // MARK: Variables

  func term(of variable: PredicateExpressions.VariableID) -> Term {
    guard let meaning = meanings[variable] else { return .unknown }
    return meaning.depth == depth || meaning.term.constant != nil ? meaning.term : .unknown
  }

  /// Gives a variable a meaning, for as long as the closure runs.
  func binding(_ variable: PredicateExpressions.VariableID, to term: Term, _ body: () -> Term) -> Term {
    bind(variable, to: term)
    defer { meanings[variable] = nil }
    return body()
  }

  /// Gives a variable a meaning for good.
  func bind(_ variable: PredicateExpressions.VariableID, to term: Term) {
    meanings[variable] = Meaning(depth: depth, term: term)
  }

  /// What a closure makes of a term while a variable stands for each row of an entity.
  func inRows(
    of binding: ModelBinding, as variable: PredicateExpressions.VariableID, _ body: () -> Judgement
  ) -> Judgement {
    depth += 1
    meanings[variable] = Meaning(depth: depth, term: Term(.object(RowPath(binding))))
    defer {
      depth -= 1
      meanings[variable] = nil
    }
    return body()
  }

  // MARK: Properties

  /// What a property of the object at the end of a path is.
  func property(_ property: ModelProperty, of path: RowPath) -> Term {
    let binding = path.destination
    let isOwn = depth == 1 && path.isEmpty
    guard isOwn || !pending.changed.contains(binding.entity.id) else { return .unknown }
    if let attribute = property.attribute, let field = binding.field(of: property.slot) {
      return self.attribute(attribute, path, field)
    }
    guard let relationship = binding.relationship(of: property.slot),
      let destination = core.binding(of: relationship.destination),
      !pending.deleted.contains(relationship.destination)
    else { return .unknown }
    guard let field = relationship.field else { return Term(.members(path, relationship, .always)) }
    let object = Term.Denotation.object(path.appending(relationship, to: destination))
    return property.relationship?.isOptional == false
      ? Term(object)
      : .optional(
        object, isThere: path.condition(.destination(relationship, .always)), isMissing: path.condition(.isNull(field)))
  }

  private func attribute(_ attribute: AttributeTrait, _ path: RowPath, _ field: FieldIndex) -> Term {
    let value: Term.Denotation =
      attribute.type.type == .composite
      ? .unknown : .operand(path.operand(.field(field)), isRaw: attribute.reader != nil)
    return attribute.type.isOptional
      ? .optional(
        value, isThere: path.condition(.not(.isNull(.field(field)))), isMissing: path.condition(.isNull(field)))
      : Term(value)
  }
}
