import Foundation
import Testing

@testable import Records

/// Attributes come, go, and change their names, types and options, and rows keep what they have.
@Suite struct AttributeEvolutionTests {
  private static func attribute(
    _ name: String, _ type: AttributeType, optional: Bool = false, from originalName: String? = nil,
    default value: FieldValue? = nil
  ) -> AttributeDescription {
    AttributeDescription(
      name: name, type: type, isOptional: optional, originalName: originalName, defaultValue: value)
  }

  private static func schema(
    _ attributes: [AttributeDescription], indexes: [[String]] = [], unique: [[String]] = [], name: String = "Note",
    from originalName: String? = nil
  ) -> StoreSchema {
    StoreSchema(entities: [
      EntityDescription(
        name: name, attributes: attributes, uniquenessConstraints: unique, indexes: indexes, originalName: originalName)
    ])
  }

  private static let plain = [attribute("text", .string), attribute("count", .int16, optional: true)]

  private static let fill: @Sendable (RecordTransaction) throws -> Void = { transaction in
    try transaction.add("Note", ["text": .string("one"), "count": .int(-1)])
    try transaction.add("Note", ["text": .string("two")])
    try transaction.add("Note", ["text": .string("three"), "count": .int(3)])
  }

  private static func evolution(
    _ name: String, indexes: [[String]] = [], unique: [[String]] = [], to after: StoreSchema, rows: [UInt64: Row],
    orders: [[String]: [UInt64]] = [:]
  ) -> Evolution {
    Evolution(
      testDescription: name, before: schema(plain, indexes: indexes, unique: unique), after: after, fill: fill,
      rows: [after.entities[0].name: rows], orders: orders)
  }

  static let evolutions: [Evolution] = [
    evolution(
      "an optional attribute is added", to: schema(plain + [attribute("new", .date, optional: true)]),
      rows: [
        1: ["text": "\"one\"", "count": "-1", "new": "null"], 2: ["text": "\"two\"", "count": "null", "new": "null"],
        3: ["text": "\"three\"", "count": "3", "new": "null"],
      ]),
    evolution(
      "required attributes with defaults are added",
      to: schema(
        plain + [
          attribute("flag", .bool, default: .bool(true)), attribute("tag", .string, default: .string("none")),
          attribute("size", .double, default: .int(2)),
        ], indexes: [["tag", "count"]]),
      rows: [
        1: ["text": "\"one\"", "count": "-1", "flag": "true", "tag": "\"none\"", "size": "2.0"],
        2: ["text": "\"two\"", "count": "null", "flag": "true", "tag": "\"none\"", "size": "2.0"],
        3: ["text": "\"three\"", "count": "3", "flag": "true", "tag": "\"none\"", "size": "2.0"],
      ], orders: [["Note", "tag", "count"]: [2, 1, 3]]),
    evolution(
      "an attribute is removed, with the indexes that have it", indexes: [["text"], ["count"], ["count", "text"]],
      to: schema([plain[0]], indexes: [["text"]]),
      rows: [1: ["text": "\"one\""], 2: ["text": "\"two\""], 3: ["text": "\"three\""]],
      orders: [["Note", "text"]: [1, 3, 2]]),
    evolution(
      "an attribute is renamed, and its indexes with it", indexes: [["text"]], unique: [["count", "text"]],
      to: schema(
        [attribute("title", .string, from: "text"), plain[1]], indexes: [["title"]], unique: [["count", "title"]]),
      rows: [
        1: ["title": "\"one\"", "count": "-1"], 2: ["title": "\"two\"", "count": "null"],
        3: ["title": "\"three\"", "count": "3"],
      ], orders: [["Note", "title"]: [1, 3, 2], ["Note", "count", "title"]: [2, 1, 3]]),
    evolution(
      "a new attribute takes the name of one that is renamed", indexes: [["text"]],
      to: schema(
        [
          attribute("title", .string, from: "text"), attribute("text", .data, optional: true), plain[1],
        ], indexes: [["title"], ["text"]]),
      rows: [
        1: ["title": "\"one\"", "count": "-1", "text": "null"],
        2: ["title": "\"two\"", "count": "null", "text": "null"],
        3: ["title": "\"three\"", "count": "3", "text": "null"],
      ], orders: [["Note", "title"]: [1, 3, 2], ["Note", "text"]: [1, 2, 3]]),
    evolution(
      "the entity is renamed", indexes: [["text"]],
      to: schema(plain, indexes: [["text"]], name: "Memo", from: "Note"),
      rows: [
        1: ["text": "\"one\"", "count": "-1"], 2: ["text": "\"two\"", "count": "null"],
        3: ["text": "\"three\"", "count": "3"],
      ], orders: [["Memo", "text"]: [1, 3, 2]]),
    evolution(
      "a required attribute becomes optional", indexes: [["text"]],
      to: schema([attribute("text", .string, optional: true), plain[1]], indexes: [["text"]]),
      rows: [
        1: ["text": "\"one\"", "count": "-1"], 2: ["text": "\"two\"", "count": "null"],
        3: ["text": "\"three\"", "count": "3"],
      ], orders: [["Note", "text"]: [1, 3, 2]]),
    evolution(
      "an optional attribute becomes required with a default, which its index has", indexes: [["count"]],
      to: schema([plain[0], attribute("count", .int16, default: .int(0))], indexes: [["count"]]),
      rows: [
        1: ["text": "\"one\"", "count": "-1"], 2: ["text": "\"two\"", "count": "0"],
        3: ["text": "\"three\"", "count": "3"],
      ], orders: [["Note", "count"]: [1, 2, 3]]),
    evolution(
      "several at once", indexes: [["count"]],
      to: schema(
        [
          attribute("n", .decimal, from: "count", default: .int(7)), attribute("id", .uuid, optional: true),
          attribute("title", .string, optional: true, from: "text"),
        ], indexes: [["n", "title"], ["n"]], name: "Memo", from: "Note"),
      rows: [
        1: ["title": "\"one\"", "n": "-1", "id": "null"], 2: ["title": "\"two\"", "n": "7", "id": "null"],
        3: ["title": "\"three\"", "n": "3", "id": "null"],
      ], orders: [["Memo", "n"]: [1, 3, 2], ["Memo", "n", "title"]: [1, 3, 2]]),
  ]

  @Test(arguments: evolutions)
  func rowsFollow(evolution: Evolution) throws {
    try evolution.check()
    try evolution.checkDeletion()
  }

  /// Every pair of types between which values are carried over.
  private static let widenings: [(AttributeType, AttributeType)] = {
    let integers: [AttributeType] = [.int8, .int16, .int32, .int64]
    let naturals: [AttributeType] = [.uint8, .uint16, .uint32, .uint64]
    var pairs: [(AttributeType, AttributeType)] = [(.float, .double), (.url, .string)]
    for (position, narrow) in integers.enumerated() {
      pairs += integers[(position + 1)...].map { (narrow, $0) } + [(narrow, .decimal)]
      pairs += naturals[..<position].map { ($0, narrow) } + naturals[(position + 1)...].map { (naturals[position], $0) }
      pairs.append((naturals[position], .decimal))
    }
    pairs += [AttributeType.int8, .uint8, .int16, .uint16].flatMap { [($0, .float), ($0, .double)] }
    return pairs + [(.int32, .double), (.uint32, .double)]
  }()

  /// Values of the narrow types, among them those at the ends of their ranges.
  private static let narrowValues: [AttributeType: [FieldValue]] = [
    .int8: [.int(-128), .int(0), .int(127)], .int16: [.int(-32768), .int(-1), .int(32767)],
    .int32: [.int(Int64(Int32.min)), .int(5), .int(Int64(Int32.max))], .int64: [.int(.min), .int(-1), .int(.max)],
    .uint8: [.uint(0), .uint(200), .uint(255)], .uint16: [.uint(0), .uint(1), .uint(65535)],
    .uint32: [.uint(0), .uint(9), .uint(UInt64(UInt32.max))], .uint64: [.uint(0), .uint(1), .uint(.max)],
    .float: [.float(-.infinity), .float(-0.5), .float(3)], .url: [.url("a:b"), .url("http://x/ä"), .url("z")],
  ]

  /// One store with an entity for each pair of types, whose attribute is indexed.
  @Test func valuesAreWidened() throws {
    func schema(_ type: (AttributeType, AttributeType) -> AttributeType) -> StoreSchema {
      StoreSchema(
        entities: Self.widenings.flatMap { old, new in
          Self.schema(
            [Self.attribute("value", type(old, new), optional: true)], indexes: [["value"]], unique: [["value"]],
            name: "\(old) as \(new)"
          ).entities
        })
    }
    var rows: [String: [UInt64: Row]] = [:]
    var orders: [[String]: [UInt64]] = [:]
    for (old, new) in Self.widenings {
      for (position, value) in (Self.narrowValues[old] ?? []).enumerated() {
        let text = FieldConversion.convert(value, to: FieldKind(new))?.text ?? "lost"
        rows["\(old) as \(new)", default: [4: ["value": "null"]]][UInt64(position + 1)] = ["value": text]
      }
      orders[["\(old) as \(new)", "value"]] = [4, 1, 2, 3]
    }
    let evolution = Evolution(
      testDescription: "every pair of types", before: schema { old, _ in old }, after: schema { _, new in new },
      fill: { transaction in
        for (old, new) in Self.widenings {
          for value in Self.narrowValues[old] ?? [] { try transaction.add("\(old) as \(new)", ["value": value]) }
          try transaction.add("\(old) as \(new)", [:])
        }
      }, rows: rows, orders: orders)
    try evolution.check()
  }

  @Test func widenedValuesAreTheOnesThatWereStored() {
    // The table above takes its expectations from the conversion, so here they are by hand.
    let cases: [(FieldValue, FieldKind, FieldValue?)] = [
      (.int(-128), .int64, .int(-128)), (.uint(255), .int16, .int(255)), (.int(-3), .double, .double(-3)),
      (.uint(.max), .decimal, .decimal(Decimal(string: "18446744073709551615") ?? 0)),
      (.float(0.5), .double, .double(0.5)),
      (.url("a:b"), .string, .string("a:b")), (.int(1 << 53 + 1), .double, nil),
      (.uint(1 << 53), .double, .double(0x1p53)),
      (.uint(.max), .int64, nil), (.int(128), .int8, nil), (.int(-129), .int8, nil), (.string("1"), .int64, nil),
      (.double(1), .decimal, nil), (.int(1), .uint8, nil), (.null, .bool, .null),
    ]
    for (value, kind, expected) in cases {
      #expect(FieldConversion.convert(value, to: kind) == expected, "\(value) as \(kind)")
    }
  }

  @Test func wholeNumbersBecomeDoublesWhereAllAreExact() throws {
    let folder = try EvolvingStore()
    let before = Self.schema([Self.attribute("value", .int64)], indexes: [["value"]])
    let after = Self.schema([Self.attribute("value", .double)], indexes: [["value"]])
    try folder.with(before) { store in
      _ = try store.write { transaction in
        try transaction.add("Note", ["value": .int(5)])
        try transaction.add("Note", ["value": .int(1 << 53 + 1)])
      }
    }
    let contents = try folder.contents()
    let difference = SchemaDifference.valueNotExact(
      entity: "Note", attribute: "value", row: RowNumber(rawValue: 2), value: "9007199254740993", given: .double)
    #expect(throws: RecordError.schemaMismatch([difference])) { try folder.open(after) }
    #expect(try folder.contents() == contents)
    try folder.with(before) { store in
      _ = try store.write { transaction in
        try transaction.edit("Note", RowNumber(rawValue: 2)) { builder, _ in builder.setInt64(0, -(1 << 60)) }
      }
    }
    try folder.with(after) { (store) throws in
      #expect(try store.rows("Note", inOrderOf: ["value"]) == [2, 1])
      #expect(try store.violations() == [])
    }
  }

  /// A value goes through many schemas and is read only at the end, by one conversion from where it was written.
  @Test func rowsOfManyLayoutsAreReadTogether() throws {
    let folder = try EvolvingStore()
    let steps: [[AttributeDescription]] = [
      [Self.attribute("a", .int8, optional: true)],
      [Self.attribute("a", .int16, default: .int(9))],
      [Self.attribute("a", .int32, optional: true), Self.attribute("b", .string, default: .string("x"))],
      [Self.attribute("c", .double, optional: true, from: "a"), Self.attribute("b", .string, optional: true)],
      [Self.attribute("c", .double, default: .double(4)), Self.attribute("b", .string, default: .string("y"))],
    ]
    for attributes in steps {
      try folder.with(Self.schema(attributes, indexes: [[attributes[0].name]])) { store in
        _ = try store.write { transaction in
          try transaction.add(
            "Note",
            [attributes[0].name: attributes[0].type == .double ? .double(1) : .int(1)]
              .merging(attributes.count > 1 ? ["b": .string("w")] : [:]) { value, _ in value })
          if attributes[0].isOptional {
            try transaction.add("Note", attributes.count > 1 ? ["b": .string("v")] : [:])
          }
        }
        #expect(try store.violations() == [])
      }
    }
    let all = Self.schema(steps[4], indexes: [["c"]])
    try folder.with(all) { store in
      let rows = try store.rows("Note")
      #expect(
        rows.sorted { $0.key < $1.key }.map { "\($0.value["c"] ?? "") \($0.value["b"] ?? "")" } == [
          "1.0 \"x\"", "9.0 \"x\"", "1.0 \"x\"", "1.0 \"w\"", "4.0 \"v\"", "1.0 \"w\"", "4.0 \"v\"", "1.0 \"w\"",
        ])
    }
  }

  /// With more layouts than are kept the rows are written anew, and numbers of layouts are used again.
  @Test func layoutsDoNotPileUp() throws {
    let folder = try EvolvingStore()
    var layouts: [Int] = []
    for step in 0..<40 {
      let attributes = [Self.attribute("n", .int64)] + [Self.attribute("a\(step)", .int64, default: .int(Int64(step)))]
      try folder.with(Self.schema(attributes)) { store in
        _ = try store.write { transaction in
          try transaction.add("Note", ["n": .int(Int64(step)), "a\(step)": .int(-1)])
        }
        let entity = try #require(store.catalog.entities.first)
        layouts.append(entity.upgrades.count)
        let rows = try store.rows("Note")
        #expect(rows.count == step + 1)
        for (row, values) in rows {
          #expect(values == ["n": "\(row - 1)", "a\(step)": row == step + 1 ? "-1" : "\(step)"])
        }
      }
    }
    #expect(layouts.max() == CatalogEvolution.earlierLayoutsMax)
    #expect(layouts.count { $0 == 0 } == 3)
  }

  @Test func unchangedSchemaWritesNothing() throws {
    let folder = try EvolvingStore()
    let schema = Self.schema([Self.attribute("t", .double, default: .double(1))])
    try folder.open(schema).close()
    let changed = Self.schema([Self.attribute("t", .double, default: .double(2))])
    let store = try folder.open(changed)
    defer { store.close() }
    #expect(store.environment.metrics.commits == 0)
  }
}
