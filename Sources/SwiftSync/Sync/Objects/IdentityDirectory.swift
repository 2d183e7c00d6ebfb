import Foundation
import Records
import SyncEngine

/// Finds the objects of one model by identity during a pass: those that the pass has met, those that are unsaved in its context,
/// and those in the store, by the index of the identity.
final class IdentityDirectory<Model: SyncModelable> {
  private let context: ModelContext
  /// The property that holds the identity; nil for one that is computed.
  private let property: ModelProperty?
  private let isMapped = Model.self is any SyncMappedModel.Type
  private var known: [Model.SyncID: Model] = [:]
  private var insertedBefore = 0
  private var isWholeTableKnown = false

  init(in context: ModelContext) {
    self.context = context
    property = Model.modelTable.property(at: Model.syncIdentity)
    for model in context.unsaved.edited.objects { note(model) }
  }

  // MARK: Identities in payloads

  /// The identity of a payload row; nil if none of its keys has one that can be read.
  func identity(in payload: SyncPayload) -> Model.SyncID? {
    if isMapped { return payload.identity(of: Model.modelTable).flatMap(identity) }
    for key in Model.syncIdentityRemoteKeys {
      if let identity: Model.SyncID = payload.value(for: key) { return identity }
    }
    return nil
  }

  /// The keys that payload rows are looked at for an identity.
  func identityKeys(in style: KeyStyle) -> [String] {
    guard isMapped, let keys = Model.modelTable.identityKeys(in: style) else { return Model.syncIdentityRemoteKeys }
    return keys.own + keys.aliases
  }

  /// The identity that a value refers to; nil if it is of another kind than the model's identity.
  func identity(referredToBy value: Any) -> Model.SyncID? {
    guard let attribute = property?.attribute else { return value as? Model.SyncID }
    return NativeCoercion.reference(value, to: attribute.type.type).flatMap(identity)
  }

  /// The identities that values refer to; nil if one of them is of another kind.
  func identities(referredToBy values: [Any]) -> [Model.SyncID]? {
    var identities: [Model.SyncID] = []
    for value in values {
      guard let identity = identity(referredToBy: value) else { return nil }
      identities.append(identity)
    }
    return identities
  }

  private func identity(_ field: FieldValue) -> Model.SyncID? {
    if let decode = property?.attribute?.decode { return decode(field) as? Model.SyncID }
    return (Model.SyncID.self as? any PersistentAttribute.Type).flatMap { $0.init(StoredValue(field)) } as? Model.SyncID
  }

  /// The stored form of an identity; nil for one that is computed.
  func field(of identity: Model.SyncID) -> FieldValue? { property?.attribute?.field(identity) }

  // MARK: Objects

  /// The object with an identity; of several rows with it the oldest.
  func find(_ identity: Model.SyncID) throws -> Model? {
    noteInserted()
    if let object = known[identity], has(object, identity) { return object }
    known[identity] = nil
    if isWholeTableKnown { return nil }
    guard let field = property?.attribute?.field(identity), let binding = try? context.core.binding(of: Model.self),
      let index = binding.entity.identityIndex, index.attributes.first?.name == property?.name
    else {
      // An identity that is computed is in no index.
      try readTable()
      return known[identity]
    }
    let rows = try context.read { try $0.rows(where: index, equals: [field]) }
    for row in rows {
      guard let object = context.graph.object(row, at: binding.entity.id) as? Model, has(object, identity) else {
        continue
      }
      known[identity] = object
      return object
    }
    return nil
  }

  /// All objects of the model, stored ones in the order of their rows before new ones.
  @discardableResult
  func readTable() throws -> [Model] {
    let objects = try context.fetch(FetchDescriptor<Model>()).sorted(by: PersistedOrder.precedes)
    for object in objects { note(object) }
    isWholeTableKnown = true
    return objects
  }

  /// Makes an object that the pass has made one that is found.
  func register(_ object: Model, _ identity: Model.SyncID) {
    if known[identity].map({ has($0, identity) }) != true { known[identity] = object }
  }

  /// Objects that somebody has inserted since: the pass, or code that it calls.
  private func noteInserted() {
    let end = context.unsaved.inserted.endPosition
    if end == insertedBefore { return }
    for model in context.unsaved.inserted.objects(from: end < insertedBefore ? 0 : insertedBefore) { note(model) }
    insertedBefore = end
  }

  private func note(_ model: any PersistentModel) {
    guard let object = model as? Model, !object.isDeleted else { return }
    register(object, object[keyPath: Model.syncIdentity])
  }

  private func has(_ object: Model, _ identity: Model.SyncID) -> Bool {
    !object.isDeleted && object[keyPath: Model.syncIdentity] == identity
  }
}

/// The order of rows, which is that of their age.
enum PersistedOrder {
  static func precedes(_ left: some PersistentModel, _ right: some PersistentModel) -> Bool {
    switch (left._$backing.storedRow, right._$backing.storedRow) {
    case (let left?, let right?): left < right
    case (_?, nil): true
    case (nil, _): false
    }
  }
}
