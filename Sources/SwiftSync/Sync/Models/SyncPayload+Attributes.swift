import Foundation
import Records
import SyncEngine

/// Reading the attributes of a mapped model, by the rules by which the engine writes records.
extension SyncPayload {
  /// The stored form of the row's identity; nil if there is none that can be read.
  ///
  /// A value under the model's own key that can't be read is no reason to try the usual names: the model said where its identity
  /// is.
  func identity(of table: ModelTable) -> FieldValue? {
    guard let keys = table.identityKeys(in: keyStyle), let attribute = table.identity?.attribute else { return nil }
    let own = keys.own.compactMap(raw)
    for value in own.isEmpty ? keys.aliases.compactMap(raw) : own {
      if let result = converted(value, for: attribute) { return result.field }
    }
    return nil
  }

  /// What an attribute is to be; nil if the payload says nothing about it, or what it says is to be passed over.
  ///
  /// - Throws: `SyncError.invalidPayload` for a value that cannot be read, or is null, where nothing stands for it or the policy
  ///   is to refuse it.
  func field(of property: ModelProperty, in table: ModelTable, isNew: Bool) throws -> FieldValue? {
    guard let attribute = property.attribute else { return nil }
    let key = property.remoteKey.flatMap { $0.isEmpty ? nil : $0 } ?? property.name
    var problem: (key: String, value: Any)?
    for candidate in candidates(for: key) {
      guard let value = raw(candidate) else { continue }
      if let result = converted(value, for: attribute) {
        if !result.isWhole {
          place?.noteReplaced(value, at: steps(to: candidate), cause: .partlyReadable, outcome: .storedInPart)
        }
        return result.field
      }
      // Null under one key says more than something unreadable under another.
      if problem == nil || value is NSNull { problem = (candidate, value) }
    }
    return try problem.flatMap { try settle($0.value, under: $0.key, property, attribute, table, isNew: isNew) }
  }

  private func converted(_ value: Any, for attribute: AttributeTrait) -> NativeCoercion.Result? {
    guard !(value is NSNull), let result = NativeCoercion.convert(value, to: attribute.type.type) else { return nil }
    guard let reader = attribute.reader else { return result }
    return reader.storedForm(result.field).map { NativeCoercion.Result(field: $0, isWhole: result.isWhole) }
  }

  /// What becomes of null and of a value that cannot be read.
  private func settle(
    _ value: Any, under key: String, _ property: ModelProperty, _ attribute: AttributeTrait, _ table: ModelTable,
    isNew: Bool
  ) throws -> FieldValue? {
    let isNull = value is NSNull
    if isNull, attribute.type.isOptional { return .null }
    let cause: SyncReport.ReplacedValue.Cause = isNull ? .nullForRequired : .unreadable
    let policy = place?.pass.policy ?? .replace
    if policy == .keep, !isNew {
      place?.noteReplaced(value, at: steps(to: key), cause: cause, outcome: .kept)
      return nil
    }
    if policy != .reject {
      if attribute.type.isOptional {
        place?.noteReplaced(value, at: steps(to: key), cause: cause, outcome: .cleared)
        return .null
      }
      if isNull || attribute.type.type == .date, let standIn = attribute.fieldForNull {
        place?.noteReplaced(value, at: steps(to: key), cause: cause, outcome: .setToDefault)
        return standIn
      }
    }
    let what = isNull ? "null" : "the unreadable value \(NativeCoercion.reportText(of: value))"
    throw invalid(table, "has \(what) under \(key) for \(property.name)")
  }

  /// The error for a row of a model.
  func invalid(_ table: ModelTable, _ reason: String) -> SyncError {
    .invalidPayload(model: table.name, reason: "\(place?.description ?? "the object") \(reason)")
  }
}

extension AttributeTrait {
  /// What null becomes where the attribute isn't optional. An enum may not have the type's default, and a `Codable` type may
  /// have one where its stored type has none.
  fileprivate var fieldForNull: FieldValue? {
    guard let reader else { return type.type.valueForNull }
    return reader.emptyValue ?? type.type.valueForNull.flatMap(reader.storedForm)
  }
}
