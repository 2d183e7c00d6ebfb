import Records

/// The bindings of a container, found by their class's table or by their entity: each look-up of an object asks for one.
struct BindingDirectory: Sendable {
  private let bindings: [ModelBinding]
  /// Empty where there are so few bindings that looking at each is quicker than hashing.
  private var byTable: [ObjectIdentifier: ModelBinding] = [:]
  private var byEntity: [EntityID: ModelBinding] = [:]

  private static let fewMax = 16

  init(_ bindings: [ModelBinding]) {
    self.bindings = bindings
    if bindings.count <= Self.fewMax { return }
    byTable = Dictionary(uniqueKeysWithValues: bindings.map { (ObjectIdentifier($0.table), $0) })
    byEntity = Dictionary(uniqueKeysWithValues: bindings.map { ($0.entity.id, $0) })
  }

  subscript(table: ModelTable) -> ModelBinding? {
    if !byTable.isEmpty { return byTable[ObjectIdentifier(table)] }
    return bindings.first { $0.table === table }
  }

  subscript(entity: EntityID) -> ModelBinding? {
    if !byEntity.isEmpty { return byEntity[entity] }
    return bindings.first { $0.entity.id == entity }
  }
}
