import Synchronization

/// The inverses of relationships of objects that are in no container yet, by class.
///
/// Inference looks only at the relationships between two classes, so what it finds for a class by itself is what a
/// container finds. A schema that has errors has no inverses here; the container that is made of it says what is wrong.
final class InverseDirectory: Sendable {
  static let shared = InverseDirectory()

  private let known = Mutex<[ObjectIdentifier: [ModelProperty?]]>([:])

  func inverse(of slot: Int, in table: ModelTable) -> ModelProperty? {
    let key = ObjectIdentifier(table)
    if let inverses = known.withLock({ $0[key] }) { return inverses[slot] }
    let found = inverses(of: table)
    known.withLock { $0[key] = found }
    return found[slot]
  }

  private func inverses(of table: ModelTable) -> [ModelProperty?] {
    let tables = Schema([table.type]).modelTypes.map { $0.modelTable }
    guard let inference = try? InverseInference(tables) else { return table.properties.map { _ in nil } }
    return table.properties.map { inference.inverse(of: $0, in: table) }
  }
}
