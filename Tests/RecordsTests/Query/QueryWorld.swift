import FoundationEssentials
import TestSupport

@testable import Records

/// Rows of three entities with every attribute type, in memory: what stores are filled with and queries are checked against.
///
/// Items lie in boxes, carry tags and have twins. Row numbers are positions plus one.
struct QueryWorld {
  struct Row {
    var values: [String: FieldValue] = [:]
    /// The far ends of to-one relationships.
    var destinations: [String: RowNumber] = [:]
    /// The far ends of to-many relationships.
    var members: [String: Set<RowNumber>] = [:]
  }

  var rows: [String: [Row]] = [:]

  static let itemAttributes: [AttributeDescription] = [
    AttributeDescription(name: "flag", type: .bool),
    AttributeDescription(name: "small", type: .int16, isOptional: true),
    AttributeDescription(name: "number", type: .int64),
    AttributeDescription(name: "size", type: .uint64, isOptional: true),
    AttributeDescription(name: "ratio", type: .double, isOptional: true),
    AttributeDescription(name: "share", type: .float),
    AttributeDescription(name: "amount", type: .decimal, isOptional: true),
    AttributeDescription(name: "day", type: .date, isOptional: true),
    AttributeDescription(name: "name", type: .string),
    AttributeDescription(name: "note", type: .string, isOptional: true),
    AttributeDescription(name: "site", type: .url, isOptional: true),
    AttributeDescription(name: "code", type: .uuid, isOptional: true),
    AttributeDescription(name: "blob", type: .data, isOptional: true),
  ]

  static func schema(isIndexed: Bool) -> StoreSchema {
    StoreSchema(entities: [
      EntityDescription(
        name: "Item", attributes: itemAttributes,
        relationships: [
          RelationshipDescription(name: "box", destination: "Box", isToMany: false, inverse: "items"),
          RelationshipDescription(name: "tags", destination: "Tag", isToMany: true, inverse: "items"),
          RelationshipDescription(name: "twin", destination: "Item", isToMany: false, inverse: "twinOf"),
          RelationshipDescription(name: "twinOf", destination: "Item", isToMany: false, inverse: "twin"),
        ],
        uniquenessConstraints: isIndexed ? [["code"]] : [],
        indexes: isIndexed
          ? [
            ["flag", "small"], ["small"], ["number"], ["size", "name"], ["ratio"], ["share"], ["amount"],
            ["day", "number"],
            ["name"], ["note", "small", "day"], ["site"], ["blob"],
          ] : []),
      EntityDescription(
        name: "Box",
        attributes: [
          AttributeDescription(name: "title", type: .string), AttributeDescription(name: "rank", type: .int32),
        ],
        relationships: [
          RelationshipDescription(name: "items", destination: "Item", isToMany: true, inverse: "box")
        ],
        indexes: isIndexed ? [["title"], ["rank"]] : []),
      EntityDescription(
        name: "Tag",
        attributes: [
          AttributeDescription(name: "label", type: .string), AttributeDescription(name: "weight", type: .double),
        ],
        relationships: [
          RelationshipDescription(name: "items", destination: "Item", isToMany: true, inverse: "tags")
        ],
        indexes: isIndexed ? [["label"]] : []),
    ])
  }

  init(itemCount: Int, using random: inout SplitMix64) {
    let boxCount = 1 + random.below(6)
    let tagCount = 1 + random.below(5)
    rows["Box"] = (0..<boxCount).map { _ in
      Row(
        values: ["title": .string(QueryWorld.text(&random)), "rank": .int(Int64(random.below(4)))],
        members: ["items": []])
    }
    rows["Tag"] = (0..<tagCount).map { _ in
      Row(
        values: ["label": .string(QueryWorld.text(&random)), "weight": QueryWorld.value(of: .double, &random)],
        members: ["items": []])
    }
    var items = (0..<itemCount).map { _ in
      var row = Row()
      for attribute in QueryWorld.itemAttributes {
        let isNull = attribute.isOptional && random.chance(25)
        row.values[attribute.name] = isNull ? .null : QueryWorld.value(of: attribute.type, &random)
      }
      row.members["tags"] = []
      return row
    }
    for position in items.indices {
      let row = RowNumber(rawValue: UInt64(position + 1))
      if random.chance(70) {
        let box = random.below(boxCount)
        items[position].destinations["box"] = RowNumber(rawValue: UInt64(box + 1))
        rows["Box"]?[box].members["items"]?.insert(row)
      }
      for tag in 0..<tagCount where random.chance(20) {
        items[position].members["tags"]?.insert(RowNumber(rawValue: UInt64(tag + 1)))
        rows["Tag"]?[tag].members["items"]?.insert(row)
      }
      if position > 0, random.chance(20), items[position - 1].destinations["twin"] == nil {
        items[position - 1].destinations["twin"] = row
        items[position].destinations["twinOf"] = RowNumber(rawValue: UInt64(position))
      }
    }
    rows["Item"] = items
  }

  /// A value as data has it: from few enough that queries find some.
  static func value(of type: AttributeType, _ random: inout SplitMix64) -> FieldValue {
    switch type {
    case .int16, .int32: return .int(random.chance(15) ? Int64(random.integer() as Int16) : Int64(random.below(6)) - 2)
    case .int64: return .int(random.chance(15) ? random.integer() : Int64(random.below(8)) - 2)
    case .uint64: return .uint(random.chance(15) ? random.integer() : UInt64(random.below(6)))
    case .double:
      return .double(random.chance(10) ? .nan : random.chance(20) ? random.double() : Double(random.below(8)) / 2 - 1)
    case .float:
      return .float(
        random.chance(10) ? .nan : random.chance(20) ? Float(random.double()) : Float(random.below(8)) / 2 - 1)
    case .date:
      return .date(
        Date(
          timeIntervalSinceReferenceDate: random.chance(10)
            ? .nan : random.chance(20) ? random.double() : Double(random.below(6)) * 86400))
    case .decimal:
      return .decimal(random.chance(10) ? .nan : random.chance(20) ? random.decimal() : Decimal(random.below(6)) / 4)
    case .string: return .string(text(&random))
    case .url: return .url(text(&random))
    case .uuid: return .uuid(random.uuid())
    case .data: return .data(Data(text(&random).utf8))
    default: return random.value(of: type)
    }
  }

  /// A text out of few pieces: several spellings, cases, characters of several scalars, line breaks, zeros, and now and then one
  /// that is longer than what tables keep in order.
  static func text(_ random: inout SplitMix64) -> String {
    if random.chance(4) {
      return String(repeating: "abcdefgh", count: 62) + (random.pick(["", "a", "b", "c", "é", "e\u{301}"]) ?? "")
    }
    let pieces = [
      "a", "A", "b", "ab", "é", "e\u{301}", "e", "E", "É", "ß", "SS", "ss", "\r", "\n", "\r\n", "\0", "👨‍👩‍👧", "👨", "日本",
      "ﬁ", "fi",
      "1", "10", "Å", "A\u{30A}", "\u{212B}", "İ", "i", "ı", "",
    ]
    return (0..<random.below(4)).reduce(into: "") { text, _ in text += random.pick(pieces) ?? "" }
  }

  // MARK: A store with these rows

  func store(isIndexed: Bool) throws -> RecordStore {
    let store = try RecordStore.temporary(schema: QueryWorld.schema(isIndexed: isIndexed))
    let world = self
    try store.write { try world.insert(into: $0) }
    return store
  }

  func insert(into transaction: RecordTransaction) throws {
    for name in ["Box", "Tag", "Item"] {
      let entity = try transaction.entity(name)
      for row in rows[name] ?? [] {
        var builder = RecordBuilder(entity.layout)
        for attribute in entity.attributes { builder.set(attribute.field, row.values[attribute.name] ?? .null) }
        if name == "Item" {
          for relationship in entity.relationships where relationship.name == "box" {
            builder.setRow(relationship.field ?? 0, row.destinations["box"])
          }
        }
        _ = try transaction.insert(&builder, into: entity)
      }
    }
    let item = try transaction.entity("Item")
    let twin = try transaction.relationship("Item", "twin")
    let tags = try transaction.relationship("Item", "tags")
    for (position, row) in (rows["Item"] ?? []).enumerated() {
      let number = RowNumber(rawValue: UInt64(position + 1))
      _ = try transaction.setMembers(of: tags, owner: number, to: (row.members["tags"] ?? []).sorted())
      guard let other = row.destinations["twin"] else { continue }
      _ = try transaction.edit("Item", number) { builder, _ in builder.setRow(twin.field ?? 0, other) }
    }
    _ = item
  }
}
