/// Model objects, each once, in the order in which they were put in. Holds them strongly.
struct ObjectSet {
  private var order: [(any PersistentModel)?] = []
  private var positions: [ObjectIdentifier: Int] = [:]

  var isEmpty: Bool { positions.isEmpty }
  var count: Int { positions.count }

  var objects: [any PersistentModel] { order.compactMap { $0 } }

  /// Grows with every object that is put in; what was put in since is `objects(from:)` this place.
  var endPosition: Int { order.count }

  func objects(from position: Int) -> [any PersistentModel] { order[position...].compactMap { $0 } }

  func contains(_ model: any PersistentModel) -> Bool { positions[ObjectIdentifier(model)] != nil }

  /// Where in the order an object is; nil for one that is not in the set.
  func position(of model: any PersistentModel) -> Int? { positions[ObjectIdentifier(model)] }

  mutating func insert(_ model: any PersistentModel) {
    guard positions[ObjectIdentifier(model)] == nil else { return }
    positions[ObjectIdentifier(model)] = order.count
    order.append(model)
  }

  mutating func remove(_ model: any PersistentModel) {
    guard let position = positions.removeValue(forKey: ObjectIdentifier(model)) else { return }
    order[position] = nil
  }
}
