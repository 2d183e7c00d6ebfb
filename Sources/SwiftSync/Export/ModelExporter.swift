import Foundation
import Records
import SyncEngine

/// Turns objects into JSON objects (contract, section 11): keys by annotation or style, dotted keys as nested objects, nil
/// as `NSNull`, relationships as the options have them.
///
/// An object that is reached again on the way down is an empty object there, so cycles end; so is one that lies deeper than
/// a payload may be nested, since no import could read it.
struct ModelExporter {
  /// An object under a to-many relationship is two levels of JSON.
  static let depthMax = PayloadDocument.depthMax / 2

  let plans: ExportPlans
  let dates: ExportDates

  /// The object as a mapped model is exported, whatever it says of itself.
  func export(_ model: any PersistentModel) -> [String: Any] {
    export(model, ExportState.path)
  }

  private func export(_ model: any PersistentModel, _ path: ExportPathState) -> [String: Any] {
    guard path.depth < Self.depthMax, path.enter(model) else { return [:] }
    defer { path.leave(model) }
    return object(plans.plan(for: type(of: model).modelTable).members, of: model, path)
  }

  private func object(
    _ members: [ExportPlan.Member], of model: any PersistentModel, _ path: ExportPathState
  ) -> [String: Any] {
    var object: [String: Any] = [:]
    for member in members { object[member.key] = value(member.content, of: model, path) }
    return object
  }

  private func value(
    _ content: ExportPlan.Content, of model: any PersistentModel, _ path: ExportPathState
  ) -> Any {
    let backing = model._$backing
    switch content {
    case .attribute(let property, let isOf64Bits):
      return switch backing.exportedField(property) {
      case .int(let value) where isOf64Bits: value
      case .uint(let value) where isOf64Bits: value
      case let field: json(field)
      }
    case .group(let members): return object(members, of: model, path)
    case .objects(let property):
      if property.isToMany { return backing.members(of: property).compactMap { exportRelated($0, path) } }
      return backing.destination(of: property.slot).flatMap { exportRelated($0, path) } ?? NSNull()
    case .identities(let property, let identity):
      if property.isToMany { return backing.members(of: property).map { json($0._$backing.exportedField(identity)) } }
      guard let related = backing.destination(of: property.slot) else { return NSNull() }
      return json(related._$backing.exportedField(identity))
    }
  }

  /// An object at the far end of a relationship; nil if it is not synced.
  private func exportRelated(_ model: any PersistentModel, _ path: ExportPathState) -> [String: Any]? {
    if model is any SyncMappedModel { return export(model, path) }
    return (model as? any SyncUpdatableModel)?.export(keyStyle: plans.keyStyle, dateFormatter: dates.formatter)
  }

  private func json(_ field: FieldValue) -> Any {
    switch field {
    // What an object cannot read is null.
    case .null, .external: NSNull()
    case .bool(let value): value
    case .int(let value): Int(value)
    case .uint(let value): UInt(value)
    // JSON has no form for NaN and the infinities.
    case .float(let value): value.isFinite ? value : NSNull()
    case .double(let value): value.isFinite ? value : NSNull()
    case .decimal(let value): NSDecimalNumber(decimal: value)
    case .string(let value), .url(let value): value
    case .date(let value): dates.text(of: value)
    case .uuid(let value): value.uuidString
    case .data(let value): value.base64EncodedString()
    case .composite(let text): (try? JSONSerialization.jsonObject(with: text, options: .fragmentsAllowed)) ?? NSNull()
    }
  }
}

extension ModelProperty {
  var isToMany: Bool { relationship?.isToMany == true }
}

extension ModelBacking {
  /// An attribute's value for an export, a `Codable` one encoded.
  func exportedField(_ property: ModelProperty) -> FieldValue {
    if case .composite(let value) = content(of: property.slot) {
      return (try? property.attribute?.encode?(value)) ?? .null
    }
    return field(in: property.slot)
  }
}

extension DateFormatter {
  /// ISO 8601 with milliseconds, in UTC: `2023-11-14T22:13:20.000Z`.
  static func syncDefault() -> DateFormatter {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "yyyy-MM-dd'T'HH:mm:ss.SSSXXXXX"
    return formatter
  }
}
