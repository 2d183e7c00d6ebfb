import Foundation
import Records

/// A predicate in two parts: what the store can look for, and what has to be evaluated on the rows that it finds.
final class CompiledPredicate<Model: PersistentModel> {
  /// What the store looks for: true of every row that the predicate is true of, and perhaps of others.
  let condition: Condition
  /// The parts that the predicate consists of, all of which must be true.
  private let parts: [Part]
  private let variable: PredicateExpressions.Variable<Model>
  private let binding: ModelBinding
  private let objects: RowObjects
  private lazy var row = JudgedRow(variable, binding, objects)
  private lazy var evaluation = Evaluation(row: row)
  private lazy var evaluators = parts.map { evaluation.evaluator(of: $0.expression) }

  private struct Part {
    let expression: any PredicateExpression<Bool>
    /// The rows of which the store cannot tell whether the part is true; nil if there are none.
    let unsure: RecordFilter?
    /// Whether the store can tell nothing about the part.
    let isOpaque: Bool
  }

  /// - Parameters:
  ///   - predicate: The predicate.
  ///   - binding: The model's.
  ///   - objects: Where the objects of rows come from.
  ///   - pending: What is unsaved and counts.
  /// - Throws: `QueryError`, which would be a mistake of the compiler.
  init(_ predicate: Predicate<Model>, _ binding: ModelBinding, on objects: RowObjects, _ pending: PendingEntities)
    throws
  {
    let variable: PredicateExpressions.Variable<Model> = predicate.variable
    let compiler = PredicateCompiler(core: objects.core, pending: pending, rowsOf: binding, as: variable.key)
    var condition = Condition.always
    var parts: [Part] = []
    for expression in predicate.expression.conjuncts {
      var judgement = compiler.judgement(of: expression)
      // What the parts before it rule out is not evaluated, as in `$0.due != nil && $0.due! < now`.
      if case .never = Condition.both(condition, judgement.unsure) { judgement.unsure = .never }
      condition = .both(condition, judgement.candidates)
      var unsure: RecordFilter?
      switch judgement.unsure {
      case .never: break
      default:
        unsure = try RecordFilter(judgement.unsure, of: binding.entity, in: objects.core.store.catalog)
      }
      let isOpaque = if case .always = judgement.unsure { true } else { false }
      parts.append(Part(expression: expression, unsure: unsure, isOpaque: isOpaque))
    }
    self.condition = condition
    self.parts = parts
    self.objects = objects
    self.variable = variable
    self.binding = binding
  }

  /// Whether the condition says all that the predicate does.
  var isExact: Bool { parts.allSatisfy { $0.unsure == nil } }

  /// Whether the predicate is true of a row of which the condition is.
  /// - Throws: `FetchError`, and what reading the store throws.
  func accepts(_ row: RowNumber, _ record: RecordView, in snapshot: RecordSnapshot) throws -> Bool {
    try objects.reading(in: snapshot) {
      try self.row.at(row, record, in: snapshot) {
        for (position, part) in parts.enumerated() {
          guard let unsure = part.unsure, try part.isOpaque || unsure.matches(row, record, in: snapshot)
          else { continue }
          guard try evaluators[position]() else { return false }
        }
        return true
      }
    }
  }

  /// Whether the predicate is true of an object as it is in its context.
  /// - Throws: `FetchError`, and what reading the store throws.
  func accepts(_ object: Model) throws -> Bool {
    try row.at(object) { try evaluators.allSatisfy { try $0() } }
  }

  /// The parts of the predicate that are evaluated on rows.
  var evaluatedExpressions: [any PredicateExpression<Bool>] {
    parts.filter { $0.unsure != nil }.map(\.expression)
  }

  /// The same as text.
  var evaluatedParts: [String] {
    evaluatedExpressions.map { evaluation.writer.text(of: $0) }
  }
}
