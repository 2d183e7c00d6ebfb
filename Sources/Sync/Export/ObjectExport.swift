import Foundation
import Records
import SyncEngine

/// One export: turns an object, and the objects that it leads to, into JSON objects.
///
/// A relationship is not followed back to where it was come from, and an object that lies on the way to itself is left out there, so
/// every export ends. There are more ways through densely linked objects than anybody has time for, though: ten that all lead to
/// each other have a million. So what is written again has its relationships only so many times.
struct ObjectExport {
  /// As deep as a payload may be nested: an object under a to-many relationship is two levels.
  private static let depthMax = PayloadDocument.depthMax / 2

  /// How many times objects that have been written before are written with their relationships once more.
  private static let repetitionsMax = 100_000

  private let options: ExportOptions
  private var keys: [String: ExportKeys] = [:]
  /// The objects from the outermost one down to the present one.
  private var path: Set<ManagedObject> = []
  /// The objects that have been written.
  private var written: Set<ManagedObject> = []
  private var repetitions = 0

  init(_ options: ExportOptions) {
    self.options = options
  }

  /// The object as JSON, without `origin`: the relationship that leads back to where the export has come from.
  mutating func export(_ object: ManagedObject, without origin: RelationshipDescription? = nil) -> [String: Any] {
    guard path.count < Self.depthMax, path.insert(object).inserted else { return [:] }
    defer { path.remove(object) }
    let keys = keys(of: object.entity)
    var result: [String: Any] = [:]
    for (position, key) in keys.attributes {
      ExportPath.set(value(at: position, of: object), at: key, in: &result)
    }
    if !written.insert(object).inserted {
      repetitions += 1
      if repetitions > Self.repetitionsMax { return result }
    }
    for (position, key) in keys.relationships {
      let place = object.binding.relationships[position]
      if let origin, origin.name == place.description.name, origin.entityName == place.description.entityName {
        continue
      }
      guard let related = related(at: position, of: object) else { continue }
      ExportPath.set(related, at: key, in: &result)
    }
    return result
  }

  private mutating func keys(of entity: EntityDescription) -> ExportKeys {
    if let known = keys[entity.name] { return known }
    let made = ExportKeys(entity, options)
    keys[entity.name] = made
    return made
  }

  /// What is under the key of a relationship; nil for nothing.
  private mutating func related(at position: Int, of object: ManagedObject) -> Any? {
    // An empty list would say that there are none.
    guard object.managedObjectContext != nil else { return nil }
    let place = object.binding.relationships[position]
    guard place.description.isToMany else {
      guard let destination = object.destination(at: position) else { return nil }
      let exported = export(destination, without: place.inverse)
      return exported.isEmpty ? nil : exported
    }
    var exported: [[String: Any]] = []
    for member in object.members(at: position) {
      let member = export(member, without: place.inverse)
      if !member.isEmpty { exported.append(member) }
    }
    guard options.relationshipType == .nested else { return exported }
    return Dictionary(uniqueKeysWithValues: exported.enumerated().map { ("\($0)", $1) })
  }

  private func value(at position: Int, of object: ManagedObject) -> Any {
    let attribute = object.binding.attributes[position].description
    let field = object.fieldValue(at: position)
    guard let value = attribute.value(field) else { return NSNull() }
    if let name = attribute.customTransformerName ?? attribute.valueTransformerName,
      let transformer = ValueTransformers.named(name), let reversed = transformer.reverseTransformedValue(value)
    {
      return reversed
    }
    switch field {
    case .date(let date): return text(of: date)
    case .uuid(let value): return value.uuidString
    case .url(let value): return value
    case .decimal(let value): return NSDecimalNumber(decimal: value)
    // JSON has no form for NaN and the infinities.
    case .double(let value) where !value.isFinite: return NSNull()
    case .float(let value) where !value.isFinite: return NSNull()
    case .data(let data): return json(data) ?? data
    default: return value
    }
  }

  private func text(of date: Date) -> String {
    options.dateFormatter?.string(from: date) ?? DateFormat.text(of: date.timeIntervalSinceReferenceDate)
  }

  /// What a sync has put into a binary attribute: any JSON value.
  private func json(_ data: Data) -> Any? {
    try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
  }
}

extension ManagedObject {
  /// The object as JSON: keys in snake case, and with it everything that its relationships lead to.
  ///
  /// A nil attribute is `NSNull`, a to-one relationship that leads nowhere is left out, and so is what the model marks as not exportable.
  /// Unsaved objects and edits are exported as they are shown.
  public final func export() -> [String: Any] { export(using: ExportOptions()) }

  /// The object as JSON, as the options say.
  public final func export(using options: ExportOptions) -> [String: Any] {
    var export = ObjectExport(options)
    return export.export(self)
  }
}
