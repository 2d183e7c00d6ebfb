import FoundationEssentials
import KeyValueStore
import Testing

@testable import Records

/// The bytes that docs/on-disk-format.md shows. A change here is a change of the format: stores that exist must stay readable.
@Suite struct OnDiskFormatTests {
  private static let schema = StoreSchema(entities: [
    EntityDescription(
      name: "Task",
      attributes: [
        AttributeDescription(name: "id", type: .uuid, options: .unique),
        AttributeDescription(name: "title", type: .string),
        AttributeDescription(name: "note", type: .string, isOptional: true),
        AttributeDescription(name: "priority", type: .int16),
      ],
      relationships: [
        RelationshipDescription(name: "project", destination: "Project", isToMany: false, inverse: "tasks"),
        RelationshipDescription(name: "related", destination: "Task", isToMany: true),
      ],
      identity: "id", indexes: [["priority", "title"]]),
    EntityDescription(
      name: "Project", attributes: [],
      relationships: [
        RelationshipDescription(name: "tasks", destination: "Task", isToMany: true, inverse: "project")
      ]),
  ])

  private func hex(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }

  /// Every entry of every table, as `table key value`.
  private func dump(_ environment: Environment) throws -> [String] {
    try environment.tableNames().filter { !$0.hasPrefix("#") }.flatMap { name in
      let table = try environment.table(name)
      var lines: [String] = []
      try environment.read { snapshot in
        try snapshot.scan(table) { key, value in
          lines.append("\(name) \(hex(key)) \(hex(value))")
          return .continue
        }
      }
      return lines
    }
  }

  @Test func tablesOfASmallStore() throws {
    let history = HistoryOptions(writer: "app") { Date(timeIntervalSinceReferenceDate: 1) }
    let store = try RecordStore.temporary(schema: Self.schema, history: history)
    defer { store.close() }
    try store.write(author: "me") { transaction in
      let project = try transaction.insert("Project") { _, _ in }
      let tasks = try (0..<2).map { number in
        try transaction.insert("Task") { builder, task in
          let id = try #require(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEE0\(number)"))
          builder.setUUID(try #require(task.attribute(named: "id")).field, id)
          builder.setString(try #require(task.attribute(named: "title")).field, "Tä")
          builder.setInt64(try #require(task.attribute(named: "priority")).field, -2)
          builder.setRow(try #require(task.relationship(named: "project")?.field), number == 0 ? project : nil)
        }
      }
      _ = try transaction.setMembers(
        of: transaction.relationship("Task", "related"), owner: tasks[0], to: [tasks[1]])
    }
    let lines = try dump(store.environment).filter { !$0.hasPrefix("meta 636174616c6f67 ") }
    #expect(
      lines == [
        "history 0000000000000001 01000000000000f03f026d65036170700101010300020101026426e2914983e507",
        "l.2 00000000000000010000000000000002 0000000000000002d02beb61",
        "l.3 00000000000000010000000000000001 0000000000000001b5ef1020",
        "l.4 00000000000000020000000000000001 0000000000000002e1fb7e3c",
        "meta 666f726d6174 00000004",
        "meta 72616e6b 00000000000000031a30e1ee3d2b3c06",
        "meta 726f777300000001 00000000000000034e57ba88cd51a124",
        "meta 726f777300000002 00000000000000023700356e1e38dae0",
        "r.1 0000000000000001 "
          + "01001b00112233445566778899aabbccddee00feff0100000000000000030000000300000054c3a44451356678c5a507",
        "r.1 0000000000000002 "
          + "01000b00112233445566778899aabbccddee01feff0000000000000000030000000300000054c3a4083fe9a408324d38",
        "r.2 0000000000000001 01003597ddcbd84a32f0",
        "x.1 0100112233445566778899aabbccddee00 000000000000000193fd5cb2",
        "x.1 0100112233445566778899aabbccddee01 00000000000000021b7bcbd7",
        "x.2 017ffffffffffffffe0154c3a400000000000000000001 b991bc4f",
        "x.2 017ffffffffffffffe0154c3a400000000000000000002 c722f91d",
      ])
  }

  /// The transaction that the document takes apart.
  @Test func transactionOfTheHistory() throws {
    let catalog = try Catalog(Self.schema)
    let task = try #require(catalog.entity(named: "Task"))
    let project = try #require(catalog.entity(named: "Project"))
    var tasks = ChangeSet.EntityChanges()
    tasks.updated = [
      RowNumber(rawValue: 7): PropertySet([1]), RowNumber(rawValue: 8): PropertySet([1]),
      RowNumber(rawValue: 200): PropertySet([1]),
    ]
    tasks.deleted = [RowNumber(rawValue: 3)]
    tasks.tombstones = Tombstones(properties: [3], values: [.int(-2)])
    var projects = ChangeSet.EntityChanges()
    projects.inserted = (1...1000).map(RowNumber.init)
    var writer = CompactWriter()
    HistoryTransaction(
      token: HistoryToken(rawValue: 1), timestamp: Date(timeIntervalSinceReferenceDate: 1), author: "me", writer: "app",
      sections: [HistorySection(tasks, of: task), HistorySection(projects, of: project)]
    ).write(to: &writer)
    #expect(
      hex(writer.bytes) == "01" + "000000000000f03f" + "026d65" + "03617070"
        + "01" + "0e" + "01" + "0102" + "02" + "0f00" + "8003" + "01" + "06" + "01" + "03" + "0203"
        + "02" + "01" + "01" + "03" + "e607")
  }

  /// The dirty row that the document takes apart.
  @Test func partsOfADirtyRow() throws {
    let push = try PushStore(clock: { Date(timeIntervalSinceReferenceDate: 2) })
    try push.write(by: PushStore.inbound) { _ = try $0.insertNote("a", text: "one") }
    try push.setText("a", "two")
    try push.settle([1], .refused(reason: "no", code: "c"), at: 1)
    let lines = try dump(push.store.environment)
    #expect(
      lines.filter { $0.hasPrefix("push ") || $0.hasPrefix("meta \(hex("push".utf8)) ") } == [
        "meta 70757368 000000011bd9dc3155028472",
        "push 00000001000000000000000001 6c020000000000000000400102d4dde043e33b6eaa",
        "push 00000001010000000000000001 04000901610109036f6e650200030016f99e661cb8214b",
        "push 00000001020000000000000001 01000000000000f03f01026e6f016304eb1efef3fccc4a",
      ])
  }

  @Test func catalogJSON() throws {
    let schema = StoreSchema(entities: [
      EntityDescription(
        name: "Task", attributes: [AttributeDescription(name: "id", type: .int64, options: .unique, remoteKey: "key")],
        relationships: [RelationshipDescription(name: "related", destination: "Task", isToMany: true)], identity: "id")
    ])
    let store = try RecordStore.temporary(schema: schema)
    defer { store.close() }
    let meta = try store.environment.table("meta")
    let value = try store.environment.read { try $0.value(for: MetaKey.catalog, in: meta) }
    let catalog = SealedValue.open(try #require(value), under: MetaKey.catalog)
    let expected = """
      {"entities":[{"description":{"attributes":[{"isExported":true,"isOptional":false,"name":"id","options":1,\
      "remoteKey":"key","type":"int64"}],"identity":"id","indexes":[],"name":"Task","relationships":[{"deleteRule":\
      "nullify","destination":"Task","isExported":true,"isInverseExplicit":false,"isOptional":true,"isToMany":true,\
      "name":"related"}],"uniquenessConstraints":[]},"fields":["id"],"id":1,"indexes":[{"attributes":["id"],"id":1,\
      "isUnique":true}],"layoutVersion":1,"properties":["id","related"],"relationships":[{"id":1,"inverse":2,\
      "name":"related"}]}],"nextEntityID":2,"nextIndexID":2,"nextRelationshipID":3}
      """
    #expect(String(decoding: try #require(catalog), as: UTF8.self) == expected)
  }

  @Test(arguments: [
    (FieldValue.null, AttributeType.string, "00"),
    (.bool(true), .bool, "0101"),
    (.int(-2), .int8, "017ffffffffffffffe"),
    (.int(1), .int64, "018000000000000001"),
    (.uint(258), .uint16, "010000000000000102"),
    (.double(1), .double, "01bff0000000000000"),
    (.double(-1), .double, "01400fffffffffffff"),
    (.double(-0.0), .double, "018000000000000000"),
    (.double(.nan), .double, "01ffffffffffffffff"),
    (.float(1), .float, "01bff0000000000000"),
    (.date(Date(timeIntervalSinceReferenceDate: 1)), .date, "01bff0000000000000"),
    (.string("a\0b"), .string, "016100ff620000"),
    (.string("e\u{301}"), .string, "01c3a90000"),
    (.url("x:"), .url, "01783a0000"),
    (.data(Data([0, 1])), .data, "0100ff010000"),
    (.decimal(0), .decimal, "0102"),
    (.decimal(120), .decimal, "01030103313200"),
    (.decimal(-120), .decimal, "0101fefccecdff"),
    (.decimal(.nan), .decimal, "0100"),
  ])
  func keysOfValues(value: FieldValue, type: AttributeType, expected: String) {
    var encoder = KeyEncoder()
    let isEncoded = encoder.append(value, as: type)
    #expect(isEncoded)
    #expect(hex(encoder.bytes) == expected)
  }

  @Test(arguments: [
    (FieldValue.bool(true), AttributeType.bool, "01"),
    (.int(-2), .int8, "fe"), (.int(-2), .int16, "feff"), (.int(-2), .int32, "feffffff"),
    (.int(-2), .int64, "feffffffffffffff"),
    (.uint(1), .uint8, "01"), (.uint(1), .uint16, "0100"), (.uint(1), .uint32, "01000000"),
    (.uint(1), .uint64, "0100000000000000"),
    (.float(1), .float, "0000803f"), (.float(.nan), .float, "0000c07f"),
    (.double(1), .double, "000000000000f03f"), (.double(-0.0), .double, "0000000000000080"),
    (.double(.nan), .double, "000000000000f87f"),
    (.date(Date(timeIntervalSinceReferenceDate: 1)), .date, "000000000000f03f"),
    (
      .decimal(Decimal(sign: .minus, exponent: -2, significand: 1250)), .decimal,
      "7d00000000000000000000000000000" + "0ff01"
    ),
    (.decimal(.nan), .decimal, "0000000000000000000000000000000000" + "02"),
  ])
  func fixedFields(value: FieldValue, type: AttributeType, expected: String) {
    let layout = RecordLayout(version: 1, kinds: [FieldKind(type)])
    var builder = RecordBuilder(layout)
    let isSet = builder.set(0, value)
    #expect(isSet)
    // Version and presence bits stand before the field, the checksum behind it.
    #expect(hex(builder.encoded()[3...].dropLast(8)) == expected)
  }
}
