import Foundation
import Records

/// What a predicate is evaluated on: a row of the store, of which an object is made only if it is needed, or an object.
final class JudgedRow<Model: PersistentModel> {
  private let variable: PredicateExpressions.Variable<Model>
  private let binding: ModelBinding
  private let objects: RowObjects
  /// The row and its record, while a row is judged by its stored values.
  private var stored: (row: RowNumber, record: RecordView, snapshot: RecordSnapshot)?
  private var known: Model?

  /// - Parameters:
  ///   - variable: What stands for the row in the predicate.
  ///   - binding: The model's.
  ///   - objects: Where the object of a row comes from.
  init(_ variable: PredicateExpressions.Variable<Model>, _ binding: ModelBinding, _ objects: RowObjects) {
    self.variable = variable
    self.binding = binding
    self.objects = objects
  }

  /// Has a row judged by what is stored.
  func at(
    _ row: RowNumber, _ record: RecordView, in snapshot: RecordSnapshot, _ judge: () throws -> Bool
  ) rethrows -> Bool {
    stored = (row, record, snapshot)
    defer {
      stored = nil
      known = nil
    }
    return try judge()
  }

  /// Has an object judged by its values as they are in its context.
  func at(_ object: Model, _ judge: () throws -> Bool) rethrows -> Bool {
    known = object
    defer { known = nil }
    return try judge()
  }

  private func object() throws -> Model {
    if let known { return known }
    guard let stored,
      let made = try objects.object(stored.row, stored.record, binding, in: stored.snapshot) as? Model
    else { throw PredicateError.undefinedVariable }
    known = made
    return made
  }
}

/// A judged row of any model.
protocol RowSource {
  /// Reads the object, if the variable stands for it.
  func object<Value>(of variable: PredicateExpressions.Variable<Value>) -> Evaluator<Value>?

  /// Reads an attribute, without making an object where the row is judged by what is stored. Nil if the variable does not
  /// stand for the row or the key path does not lead to one of its attributes.
  func attribute<Root, Value>(
    _ keyPath: KeyPath<Root, Value>, of variable: PredicateExpressions.Variable<Root>
  ) -> Evaluator<Value>?

  func bind(in bindings: inout PredicateBindings) throws
}

extension JudgedRow: RowSource {
  func object<Value>(of variable: PredicateExpressions.Variable<Value>) -> Evaluator<Value>? {
    guard variable.key == self.variable.key else { return nil }
    let read: Evaluator<Model> = { [self] in try object() }
    return read as? Evaluator<Value>
  }

  func attribute<Root, Value>(
    _ keyPath: KeyPath<Root, Value>, of variable: PredicateExpressions.Variable<Root>
  ) -> Evaluator<Value>? {
    guard let object = object(of: variable), let property = binding.table.property(at: keyPath),
      let attribute = property.attribute, let field = binding.field(of: property.slot),
      // What lies outside of the record is read by the object.
      !binding.entity.mayLieOutside(field)
    else { return nil }
    let read = attribute.reading(field, as: Value.self)
    return { [self] in
      if let stored, let value = read(stored.record) { return value }
      return try object()[keyPath: keyPath]
    }
  }

  func bind(in bindings: inout PredicateBindings) throws {
    bindings[variable] = try object()
  }
}

extension AttributeTrait {
  /// How the attribute is read from records as the type that the class gives it; the result is nil for what it cannot read.
  fileprivate func reading<Value>(_ field: FieldIndex, as type: Value.Type) -> (RecordView) -> Value? {
    if let type = type as? any PersistentAttribute.Type, let read = type.reading(field) as? (RecordView) -> Value? {
      return read
    }
    return { record in decode?(record.value(field)) as? Value }
  }
}

extension PersistentAttribute {
  /// A closure of the type `(RecordView) -> Self?`.
  fileprivate static func reading(_ field: FieldIndex) -> Any {
    let read: (RecordView) -> Self? = { Self(StoredValue($0.value(field))) }
    return read
  }
}
