import Foundation
import Records

/// Values by name, as whatever their types are.
extension ManagedObject {
  /// The value of a property: of an attribute one of the Swift type that it has (`Int`, `Double`, `Float`, `Decimal`, `String`, `Bool`,
  /// `Date`, `Data`, `UUID`, `URL`), of a relationship a `ManagedObject` or an array of them.
  ///
  /// A subscript can't throw. A name that the entity doesn't have, or a value that the property can't have, changes nothing, and the
  /// context's next save or fetch throws why; `value(_:as:)` and `setValue(_:for:)` throw at once.
  public final subscript(name: String) -> Any? {
    get { reportingErrors { try anyValue(name) } ?? nil }
    set { reportingErrors { try setValue(newValue, for: name) } }
  }

  /// The value of a property in a type of Swift; nil if it has none.
  ///
  /// Whole numbers are read as every type that can hold the value, objects as their class.
  /// - Throws: `ManagedObjectError.unknownProperty`, and `.unreadableValue` for a value of another type.
  public final func value<Value>(_ name: String, as type: Value.Type = Value.self) throws -> Value? {
    guard let value = try anyValue(name) else { return nil }
    if let value = ValueConversion.convert(value, to: type) { return value }
    throw ManagedObjectError.unreadableValue(entity: entity.name, attribute: name, type: "\(type)")
  }

  /// Sets a property by name. Nil and `NSNull` take a value away.
  ///
  /// An attribute takes every value that is one of its type without loss: `"12"` is no number, and 12.5 no whole one.
  /// - Throws: `ManagedObjectError`. The object is then as it was.
  public final func setValue(_ value: Any?, for name: String) throws {
    let property = try binding.property(name)
    let value = ValueConversion.unwrapped(value)
    guard isPresent else { throw ManagedObjectError.deletedObject(entity: entity.name, property: name) }
    try checkContext()
    switch property {
    case .attribute(let position):
      let field = try binding.attributes[position].description.field(value, of: entity.name)
      observers.changing(property, of: self) { values[position] = field }
      managedObjectContext?.noteEdit(of: self)
    case .relationship(let position):
      try setRelated(value, at: position)
    }
  }

  private func anyValue(_ name: String) throws -> Any? {
    let property = try binding.property(name)
    observers.noteAccess(property, of: self)
    switch property {
    case .attribute(let position): return value(at: position)
    case .relationship(let position):
      try checkContext()
      return related(at: position)
    }
  }

  /// The value of an attribute as users see it.
  final func value(at position: Int) -> Any? {
    binding.attributes[position].description.value(fieldValue(at: position))
  }

  /// The value of an attribute as it is stored, or will be.
  final func fieldValue(at position: Int) -> FieldValue {
    if let edited = values[position] { return edited }
    guard let record, let field = binding.attributes[position].field else { return .null }
    let value = record.value(field)
    guard case .external = value else { return value }
    return reportingErrors { try readContent(of: field) } ?? .null
  }

  private func readContent(of field: FieldIndex) throws -> FieldValue {
    guard let managedObjectContext, let table = binding.table else { return .null }
    let content = try managedObjectContext.read { snapshot in
      try snapshot.withRecord(row, of: table) { try snapshot.value(field, of: $0, row: row, table) }
    }
    guard let content else { return .null }
    keep(content, of: field)
    return content
  }

  /// Does what may throw where nothing can be thrown: the context keeps the error for its next save or fetch.
  @discardableResult
  final func reportingErrors<Result>(_ body: () throws -> Result) -> Result? {
    do {
      return try body()
    } catch {
      managedObjectContext?.note(error)
      return nil
    }
  }
}
