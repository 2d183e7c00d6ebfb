import Foundation
import SyncEngine

extension SyncContainer {
  /// The row of a pending change as a JSON object, as it is stored now: unsaved edits of any context are not in it.
  ///
  /// Should the row have been edited since the changes were read, it is pending for that again when they are settled.
  ///
  /// - Parameters:
  ///   - change: of whatever model.
  ///   - onlyChanged: whether to leave out all properties that have not changed, except the identity: a patch. A hand-written
  ///     `export` is never cut.
  ///   - options: how relationships are written.
  /// - Returns: nil for a deletion, and for a row that is gone meanwhile.
  /// - Throws: what `ModelContext.fetch(_:)` throws.
  public func payload(
    of change: SyncPendingChange<SyncRowIdentity>, onlyChanged: Bool = false,
    using options: ExportOptions = ExportOptions(relationships: .identities)
  ) throws -> [String: Any]? {
    let types = modelContainer.core.schema.modelTypes
    guard let type = types.first(where: { $0.modelTable.name == change.id.model }) as? any SyncUpdatableModel.Type
    else {
      return nil
    }
    return try payload(of: change.id, type, change, onlyChanged, options)
  }

  /// As `payload(of:onlyChanged:using:)`, for a change of one model.
  public func payload<Model: SyncUpdatableModel>(
    of change: SyncPendingChange<Model.SyncID>, as model: Model.Type, onlyChanged: Bool = false,
    using options: ExportOptions = ExportOptions(relationships: .identities)
  ) throws -> [String: Any]? {
    guard let identity = SyncRowIdentity(model, change.id) else { return nil }
    return try payload(of: identity, model, change, onlyChanged, options)
  }

  private func payload<Model: SyncUpdatableModel, ID>(
    of identity: SyncRowIdentity, _ model: Model.Type, _ change: SyncPendingChange<ID>, _ onlyChanged: Bool,
    _ options: ExportOptions
  ) throws -> [String: Any]? {
    guard change.kind != .delete, let id = identity.id(of: model),
      let predicate = ModelPredicates.identity(of: model, equals: id)
    else { return nil }
    var descriptor = FetchDescriptor(predicate: predicate)
    descriptor.fetchLimit = 1
    guard let object = try ModelContext(modelContainer).fetch(descriptor).first else { return nil }
    let whole = export(object, using: options)
    guard onlyChanged, object is any SyncMappedModel else { return whole }
    let kept = Set(change.changedProperties + [model.modelTable.identity?.name ?? ""])
    return whole.keeping(kept, by: ExportPlan(model.modelTable, keyStyle, options).members)
  }
}

extension [String: Any] {
  /// What an export has of some properties.
  fileprivate func keeping(_ properties: Set<String>, by members: [ExportPlan.Member]) -> [String: Any] {
    var result: [String: Any] = [:]
    for member in members {
      switch member.content {
      case .attribute(let property, _), .objects(let property), .identities(let property, _):
        if properties.contains(property.name) { result[member.key] = self[member.key] }
      case .group(let members):
        let group = (self[member.key] as? [String: Any])?.keeping(properties, by: members) ?? [:]
        if !group.isEmpty { result[member.key] = group }
      }
    }
    return result
  }
}
