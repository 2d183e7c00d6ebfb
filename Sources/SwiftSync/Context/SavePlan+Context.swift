import Contexts
import Records

extension SavePlan {
  /// - Throws: `ModelError`.
  init(of context: ModelContext) throws {
    self.init()
    let inserted = context.unsaved.inserted.objects
    var positions: [ObjectIdentifier: Int] = [:]
    for (position, model) in inserted.enumerated() { positions[ObjectIdentifier(model)] = position }
    let reader = EditReader(context: context, positions: positions)
    for model in inserted {
      insertions.append(try reader.values(of: model, context.core.binding(of: type(of: model))))
    }
    for model in context.unsaved.edited.objects {
      guard let row = model._$backing.storedRow else { continue }
      updates.append((row, try reader.values(of: model, context.core.binding(of: type(of: model)))))
    }
    for model in context.unsaved.deleted.objects {
      guard let row = model._$backing.storedRow else { continue }
      let binding = try context.core.binding(of: type(of: model))
      // Delete rules follow the links as the objects show them, so the edited ones are written first.
      if model._$backing.hasEdits { updates.append((row, try reader.values(of: model, binding))) }
      deletions.append((row, binding.entity))
    }
  }

  /// Does what the plan says.
  ///
  /// - Returns: The rows of the insertions, in order.
  /// - Throws: `ModelError.unencodableValue`, and what the transaction throws.
  func carryOut(in transaction: RecordTransaction) throws -> [RowNumber] {
    do {
      return try SaveRun.run(self, in: transaction)
    } catch let error as UnencodableValue {
      throw ModelError.unencodableValue(entity: error.entity, attribute: error.attribute, reason: error.value)
    }
  }
}
