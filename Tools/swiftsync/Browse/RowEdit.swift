import Foundation
import Records
import SyncEngine

/// A change that the page asks for: some attributes of a row, or its end.
struct RowEdit: Sendable {
  private static let author = "swiftsync browse"

  private struct Body: Decodable, Sendable {
    var entity: String
    var row: UInt64
    /// By the names of attributes, as text. Nothing else is changed.
    var values: [String: String?]?
  }

  private let body: Body
  private let isDeletion: Bool

  init(path: String, json: Data) throws(BrowseError) {
    switch path {
    case "api/edit": isDeletion = false
    case "api/delete": isDeletion = true
    default: throw .noSuchPage
    }
    do { body = try JSONDecoder().decode(Body.self, from: json) } catch { throw .notJSON }
  }

  /// - Throws: `NoSuchRow`; `BrowseError` for a value that an attribute can't have; what the store says to the change, such as that a
  ///   value is taken. Nothing has changed then.
  func apply(to store: RecordStore) throws {
    try store.write(author: Self.author) { transaction in
      guard let entity = try transaction.catalog.entities(named: body.entity).first else { return }
      let row = RowNumber(rawValue: body.row)
      if isDeletion {
        guard try transaction.delete(row, of: entity) else { throw NoSuchRow(entity: entity.name, row: "\(body.row)") }
      } else {
        try update(row, of: entity, in: transaction)
      }
    }
  }

  private func update(_ row: RowNumber, of entity: Entity, in transaction: RecordTransaction) throws {
    var builder = RecordBuilder(entity.layout)
    guard try transaction.withRecord(row, of: entity, { builder.load($0) }) != nil else {
      throw NoSuchRow(entity: entity.name, row: "\(body.row)")
    }
    for (name, text) in body.values ?? [:] {
      guard let attribute = entity.attribute(named: name) else {
        throw UnknownProperty(name: name, entity: entity, known: entity.attributes.map(\.name))
      }
      let isSet = builder.set(attribute.field, try value(text, of: attribute))
      if !isSet { throw BrowseError.valueUnreadable(attribute: name, type: attribute.type.rawValue) }
    }
    _ = try transaction.update(row, of: entity, with: &builder)
  }

  private func value(_ text: String?, of attribute: Attribute) throws(BrowseError) -> FieldValue {
    guard let text else { return .null }
    if attribute.type == .string { return .string(text) }
    guard let converted = NativeCoercion.convert(text, to: attribute.type), converted.isWhole else {
      throw .valueUnreadable(attribute: attribute.name, type: attribute.type.rawValue)
    }
    return converted.field
  }
}
