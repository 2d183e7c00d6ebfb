import Records
import TestSupport
import Testing

@testable import SyncEngine

/// A store whose syncs may tell rows by their texts, against one whose syncs read every row, under the same payloads and edits.
@Suite struct RandomDigestTests {
  private struct Twins {
    let telling: TestStore
    let reading: TestStore
    var recognizedRows = 0

    init() throws {
      telling = try Self.makeStore()
      reading = try Self.makeStore()
    }

    private static func makeStore() throws -> TestStore {
      try TestStore(
        .entity("Tag", [.optional("name", .string)], [.toMany("nodes", "Node", inverse: "tags")]),
        .entity("Item", [.optional("name", .string)], [.toOne("node", "Node", inverse: "items")]),
        .entity(
          "Node", [.optional("name", .string), .optional("count", .int16)],
          [
            .toOne("parent", "Node", inverse: "children"), .toMany("children", "Node", inverse: "parent"),
            .toOne("partner", "Node", inverse: "partnerOf"), .toOne("partnerOf", "Node", inverse: "partner"),
            .toOne("tag", "Tag"), .toMany("tags", "Tag", inverse: "nodes"), .toMany("friends", "Node"),
            .toMany("items", "Item", inverse: "node", deleteRule: .cascade),
          ]))
    }

    mutating func sync(_ payload: String, as entity: String, _ adjust: (inout SyncRequest) -> Void) throws {
      let text = Array(payload.utf8)
      var told = SyncRequest(
        entity: entity, document: try PayloadDocument(json: text, rowsAt: PayloadPath()), form: .collectionOrItem)
      var read = SyncRequest(entity: entity, document: try PayloadDocument(json: text), form: .collectionOrItem)
      adjust(&told)
      adjust(&read)
      let outcomes = [(telling, told), (reading, read)].map { store, request in
        Result { try store.sync(request) }
      }
      switch (outcomes[0], outcomes[1]) {
      case (.success(let left), .success(let right)):
        try #require(left == right, "\(payload)")
        recognizedRows += left.recognizedRows
        #expect(right.recognizedRows == 0)
      case (.failure(let left), .failure(let right)):
        try #require("\(left)" == "\(right)", "\(payload)")
      default:
        Issue.record("\(outcomes) of \(payload)")
      }
      try compare(payload)
    }

    /// Does the same in both stores.
    func edit(_ change: @Sendable (RecordTransaction) throws -> Void) throws {
      for store in [telling, reading] { try store.store.write { try change($0) } }
    }

    func compare(_ context: String) throws {
      for entity in ["Node", "Tag", "Item"] {
        try #require(try telling.rows(entity) == reading.rows(entity), "\(context)")
      }
      try #require(try telling.store.read { try $0.checkInvariants().isEmpty })
    }
  }

  @Test(arguments: 0..<30)
  func tellingRowsByTheirTextsChangesNothing(_ seed: Int) throws {
    var random = SplitMix64(seed: UInt64(9000 + seed))
    var twins = try Twins()
    // How much of the payloads is odd, so that some seeds have many rows that are told and others many that are entangled.
    let oddity = seed % 3
    var lines: [Int: String] = [:]
    for step in 0..<50 {
      for id in 1...8 where lines[id] == nil || Int.random(in: 0..<6, using: &random) == 0 {
        lines[id] = row(id, oddity: oddity, using: &random)
      }
      var rows = lines.filter { _ in Int.random(in: 0..<8, using: &random) > 0 }.sorted { $0.key < $1.key }.map(\.value)
      if Int.random(in: 0..<6, using: &random) == 0 { rows.shuffle(using: &random) }
      if Int.random(in: 0..<6, using: &random) == 0, let again = rows.randomElement(using: &random) {
        rows.append(again)
      }
      if oddity > 0, Int.random(in: 0..<8, using: &random) == 0 {
        rows.append(row(Int.random(in: 1...8, using: &random), oddity: oddity, using: &random))
      }
      let isUsual = Int.random(in: 0..<4, using: &random) > 0
      let (style, policy) = (Int.random(in: 0..<2, using: &random), Int.random(in: 0..<3, using: &random))
      let operations = Int.random(in: 0...7, using: &random)
      let isKept = Int.random(in: 0..<4, using: &random) == 0
      let parent = Int.random(in: 0..<10, using: &random) == 0 ? RowNumber(rawValue: 1) : nil
      try twins.sync("[\(rows.joined(separator: step % 2 == 0 ? "," : ", "))]", as: "Node") { request in
        if !isUsual {
          request.convention = MappingConvention(
            keyStyle: style == 0 ? .snakeCase : .camelCase, unreadableValues: [.replace, .keep, .reject][policy])
          request.operations = SyncRelationshipOperations(rawValue: operations)
        }
        request.missing = isKept ? .keep : .delete
        if let parent { request.scope.parent = .init(relationship: "tag", row: parent) }
      }
      if Int.random(in: 0..<3, using: &random) == 0 {
        let tags = (1...4).filter { _ in Int.random(in: 0..<6, using: &random) > 0 }
        try twins.sync("[\(tags.map { "{\"id\":\($0),\"name\":\"t\"}" }.joined(separator: ","))]", as: "Tag") { _ in }
      }
      for _ in 0..<max(0, Int.random(in: -2...2, using: &random)) {
        let edit = Edit(using: &random)
        try twins.edit { try edit.make(in: $0) }
        try twins.compare("\(edit)")
      }
    }
    if oddity == 0 { #expect(twins.recognizedRows > 20) }
  }

  /// A row's text.
  private func row(_ id: Int, oddity: Int, using random: inout SplitMix64) -> String {
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    func list(_ range: ClosedRange<Int>) -> String {
      "[" + (0..<number(0...3)).map { _ in "\(number(range))" }.joined(separator: ",") + "]"
    }
    var members = ["\"id\":\(id)", "\"name\":\"n\(number(0...2))\""]
    if number(0...2) > 0 { members.append("\"tag_ids\":\(list(1...4))") }
    if number(0...2) > 0 { members.append("\"parent_id\":\(number(0...4) == 0 ? "null" : "\(number(1...8))")") }
    if number(0...3) == 0 { members.append("\"friend_ids\":\(list(1...8))") }
    if number(0...3) == 0 { members.append("\"count\":\(["1", "2", "null", "\"x\"", "1.5"][number(0...4)])") }
    if oddity > 0, number(0...2) == 0 {
      switch number(0...7) {
      case 0: members.append("\"child_ids\":\(list(1...8))")
      case 1: members.append("\"partner_id\":\(number(1...8))")
      case 2: members.append("\"partner_of_id\":\(number(1...8))")
      case 3: members.append("\"item_ids\":\(list(1...4))")
      case 4: members.append("\"items\":[{\"id\":\(number(1...4)),\"name\":\"i\(number(0...1))\"}]")
      case 5: members.append("\"tag\":{\"name\":\"x\(number(0...1))\"}")
      case 6: members.append("\"tags\":[{\"id\":\(number(1...4)),\"node_ids\":\(list(1...8))}]")
      default: members.append("\"parent\":{\"id\":\(number(1...8)),\"name\":\"p\(number(0...1))\"}")
      }
    }
    return "{" + members.joined(separator: ",") + "}"
  }

  /// Something that an application does between two syncs.
  private struct Edit: Sendable {
    let kind: Int
    let entity: String
    let number: Int
    let other: Int

    init(using random: inout SplitMix64) {
      // A changed identity makes all digests void, so it comes seldom.
      let kinds = [0, 0, 0, 1, 1, 2, 3, 3, 4, 4, 4, 5, 6]
      kind = kinds[Int.random(in: 0..<kinds.count, using: &random)]
      entity = ["Node", "Node", "Tag", "Item"][Int.random(in: 0..<4, using: &random)]
      number = Int.random(in: 0..<8, using: &random)
      other = Int.random(in: 0..<8, using: &random)
    }

    func make(in transaction: RecordTransaction) throws {
      let entity = try #require(transaction.catalog.entity(named: entity))
      let node = try #require(transaction.catalog.entity(named: "Node"))
      guard let row = try row(number, of: entity, in: transaction) else { return }
      var builder = RecordBuilder(entity.layout)
      _ = try transaction.withRecord(row, of: entity) { builder.load($0) }
      switch kind {
      case 0:
        builder.setString(try #require(entity.attribute(named: "name")).field, "edited \(other % 2)")
        _ = try transaction.update(row, of: entity, with: &builder)
      case 1:
        _ = try transaction.delete(row, of: entity)
      case 2:
        // A free identity, sometimes one that payloads name.
        builder.setInt64(try #require(entity.identity).field, Int64(number % 2 == 0 ? 100 + other : 1 + other))
        let index = try #require(entity.identityIndex)
        let identity = try #require(entity.identity)
        guard try transaction.rows(where: index, equals: [builder.value(identity.field)]).isEmpty else { return }
        _ = try transaction.update(row, of: entity, with: &builder)
      case 3:
        guard entity.name == "Node" else { return }
        let far = try self.row(other, of: node, in: transaction)
        builder.setRow(try #require(node.relationship(named: "parent")?.field), far)
        _ = try transaction.update(row, of: entity, with: &builder)
      case 4:
        guard let relationship = entity.relationships.first(where: \.isToMany),
          let destination = transaction.catalog[relationship.destination]
        else { return }
        let far = try self.row(other, of: destination, in: transaction)
        _ = try transaction.setMembers(of: relationship, owner: row, to: far.map { [$0] } ?? [])
      case 5:
        try transaction.touch(row, of: entity)
      default:
        var new = RecordBuilder(entity.layout)
        new.setInt64(try #require(entity.identity).field, Int64(50 + other))
        let index = try #require(entity.identityIndex)
        guard try transaction.rows(where: index, equals: [.int(Int64(50 + other))]).isEmpty else { return }
        _ = try transaction.insert(&new, into: entity)
      }
    }

    private func row(_ number: Int, of entity: Entity, in transaction: RecordTransaction) throws -> RowNumber? {
      var rows: [RowNumber] = []
      try transaction.forEachRow(of: entity) { rows.append($0) }
      return rows.isEmpty ? nil : rows[number % rows.count]
    }
  }
}
