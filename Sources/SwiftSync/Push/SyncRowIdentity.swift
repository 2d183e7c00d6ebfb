import Foundation
import Records

/// A row of any model, by its identity.
public struct SyncRowIdentity: Hashable, Sendable {
  /// The name of the model.
  public let model: String
  let value: FieldValue

  init(model: String, value: FieldValue) {
    self.model = model
    self.value = value
  }

  /// The row of a model with an identity; nil if it is of a type that no attribute has.
  public init?<Model: SyncModelable>(_ model: Model.Type, _ id: Model.SyncID) {
    let table = model.modelTable
    guard let value = table.property(at: model.identityKeyPath)?.attribute?.field(id) else { return nil }
    self.init(model: table.name, value: value)
  }

  /// The identity, if the row is of a model.
  public func id<Model: SyncModelable>(of model: Model.Type) -> Model.SyncID? {
    guard model.modelTable.name == self.model else { return nil }
    return PreservedValue.read(value, as: Model.SyncID.self) as? Model.SyncID
  }
}

extension SyncRowIdentity: CustomStringConvertible {
  /// The identity as a text, as it goes over the wire.
  public var description: String {
    if case .string(let text) = value { text } else { value.text }
  }
}
