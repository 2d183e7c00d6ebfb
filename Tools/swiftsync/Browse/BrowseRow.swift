import Records
import SyncEngine

/// One row with everything that is known of it, down to its bytes.
struct BrowseRow {
  /// How many bytes of a record are shown.
  private static let bytesMax = 4 << 10

  private let snapshot: RecordSnapshot
  private let entity: Entity
  private let row: RowNumber

  init(_ arguments: BrowseArguments, _ snapshot: RecordSnapshot) throws {
    self.snapshot = snapshot
    entity = try arguments.entity(in: snapshot.catalog)
    row = try arguments.row()
  }

  /// - Throws: `NoSuchRow`.
  func json() throws -> JSONWriter {
    let values = BrowseValues(snapshot: snapshot, charactersMax: BrowseValues.detailCharactersMax)
    var json = JSONWriter()
    json.beginObject()
    json.writeMember("row", row.rawValue)
    json.writeMember("label", try values.label(of: row, entity))
    json.writeKey("values")
    json.beginArray()
    let found: Void? = try snapshot.withRecord(row, of: entity) { record in
      for attribute in entity.attributes {
        try values.write(snapshot.value(attribute.field, of: record, row: row, entity), to: &json)
      }
      for relationship in entity.relationships { try values.write(relationship, of: row, record, to: &json) }
    }
    guard found != nil, let bytes = try snapshot.recordBytes(of: row, entity) else {
      throw NoSuchRow(entity: entity.name, row: "\(row.rawValue)")
    }
    json.endArray()
    json.writeMember("byteCount", bytes.count)
    json.writeMember("bytes", Self.hexadecimal(bytes.prefix(Self.bytesMax)))
    json.endObject()
    return json
  }

  private static func hexadecimal(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes { text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }
}

/// The rows that a to-many relationship of a row leads to, in their order and piece by piece.
struct BrowseMembers {
  private static let limitDefault = 50
  private static let limitMax = 500

  private let snapshot: RecordSnapshot
  private let relationship: Relationship
  private let row: RowNumber
  private let offset: Int
  private let limit: Int

  init(_ arguments: BrowseArguments, _ snapshot: RecordSnapshot) throws {
    self.snapshot = snapshot
    let entity = try arguments.entity(in: snapshot.catalog)
    guard let name = arguments.text("relationship") else { throw BrowseError.argumentMissing("relationship") }
    guard let relationship = entity.relationship(named: name), relationship.isToMany else {
      throw UnknownProperty(name: name, entity: entity, known: entity.relationships.filter(\.isToMany).map(\.name))
    }
    self.relationship = relationship
    row = try arguments.row()
    offset = try arguments.number("offset") ?? 0
    limit = try arguments.number("limit", upTo: Self.limitMax) ?? Self.limitDefault
  }

  func json() throws -> JSONWriter {
    let values = BrowseValues(snapshot: snapshot, charactersMax: BrowseValues.cellCharactersMax)
    let members = try snapshot.members(of: relationship, owner: row)
    var json = JSONWriter()
    json.beginObject()
    json.writeMember("count", members.count)
    json.writeKey("rows")
    json.beginArray()
    if let destination = snapshot.catalog[relationship.destination] {
      for member in members.dropFirst(offset).prefix(limit) { try values.write(member, of: destination, to: &json) }
    }
    json.endArray()
    json.endObject()
    return json
  }
}
