import SyncEngine

extension ManagedObject {
  /// Takes over what a payload says about attributes, by the rules of a sync: a missing key keeps, null clears, a value that can't be
  /// stored is left out. Relationships are not looked at, and nothing is saved. What is equal already is no edit.
  ///
  /// - Parameter changes: The payload, as `JSONSerialization` makes it.
  /// - Returns: The names of the attributes whose values can't be stored.
  /// - Throws: `SyncError` for what is no payload, `ManagedObjectError.deletedObject`, `.missingContext`.
  @discardableResult
  public final func fill(with changes: [String: Any]) throws -> [String] {
    guard isPresent else { throw ManagedObjectError.deletedObject(entity: entity.name, property: "") }
    guard let store = try managedObjectContext?.store() else {
      throw ManagedObjectError.missingContext(entity: entity.name)
    }
    let read = try store.sync.attributes(
      of: PayloadDocument(changes), as: entity.name, in: store.records.catalog)
    for (name, value) in read.values {
      guard case .attribute(let position) = try binding.property(name), fieldValue(at: position) != value else {
        continue
      }
      observers.changing(.attribute(position), of: self) { values[position] = value }
      managedObjectContext?.noteEdit(of: self)
    }
    return read.unreadable
  }
}
