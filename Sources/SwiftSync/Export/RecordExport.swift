import Records
import SyncEngine

/// How rows of one class are written as JSON text: an export plan in the terms of its records.
struct RecordExport: Sendable {
  struct Member: Sendable {
    /// As it stands in the text.
    let key: [UInt8]
    let content: Content
  }

  /// What stands under a key.
  enum Content: Sendable {
    case value(FieldIndex, AttributeType)
    case object(FieldIndex, ModelBinding)
    case objects(Relationship, ModelBinding)
    case identity(FieldIndex, Far)
    case identities(Relationship, Far)
    case group([Member])
    case null
    case none
  }

  /// Where the identity of a row at the far end of a relationship is.
  struct Far: Sendable {
    let entity: Entity
    let identity: FieldIndex
    let type: AttributeType
  }

  let members: [Member]

  /// - Throws: `ModelError.unknownModel`.
  init(_ plan: ExportPlan, of binding: ModelBinding, in core: ContainerCore) throws {
    members = try Self.members(plan.members, binding, core)
  }

  private static func members(
    _ members: [ExportPlan.Member], _ binding: ModelBinding, _ core: ContainerCore
  ) throws -> [Member] {
    try members.map { Member(key: JSONWriter.encodedKey($0.key), content: try content($0.content, binding, core)) }
  }

  private static func content(
    _ content: ExportPlan.Content, _ binding: ModelBinding, _ core: ContainerCore
  ) throws -> Content {
    switch content {
    case .group(let members): return .group(try self.members(members, binding, core))
    case .attribute(let property, _):
      guard let field = binding.field(of: property.slot), let attribute = property.attribute else { return .null }
      return .value(field, attribute.type.type)
    case .objects(let property):
      guard let relationship = binding.relationship(of: property.slot),
        let destination = core.binding(of: relationship.destination),
        destination.table.type is any SyncUpdatableModel.Type
      else { return property.isToMany ? .none : .null }
      return relationship.field.map { .object($0, destination) } ?? .objects(relationship, destination)
    case .identities(let property, let identity):
      guard let relationship = binding.relationship(of: property.slot),
        let destination = core.binding(of: relationship.destination),
        let field = destination.field(of: identity.slot), let attribute = identity.attribute
      else { return property.isToMany ? .none : .null }
      let far = Far(entity: destination.entity, identity: field, type: attribute.type.type)
      return relationship.field.map { .identity($0, far) } ?? .identities(relationship, far)
    }
  }
}
