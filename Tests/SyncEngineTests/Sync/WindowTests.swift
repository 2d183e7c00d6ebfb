import FoundationEssentials
import Records
import Synchronization
import TestSupport
import Testing

@testable import SyncEngine

/// Large texts are synced window by window. Whatever their rows say, that must not be told from a sync of all rows at once.
@Suite struct WindowTests {
  /// A store that is synced in windows, and one that isn't.
  private struct Twins {
    let inWindows: TestStore
    let atOnce: TestStore

    init() throws {
      inWindows = try Self.makeStore()
      atOnce = try Self.makeStore()
    }

    private static func makeStore() throws -> TestStore {
      try TestStore(
        .entity("Tag", [.optional("name", .string)], [.toMany("nodes", "Node", inverse: "tags")]),
        .entity(
          "Item", [.optional("name", .string)],
          [.toOne("node", "Node", inverse: "items"), .toOne("owner", "Owner"), .toMany("parts", "Part")]),
        .entity("Owner", [.required("name", .string)], [.toMany("parts", "Part")]),
        .entity("Part", [.optional("name", .string)]),
        .entity(
          "Node", [.required("name", .string), .optional("count", .int16), .optional("at", .date)],
          [
            .toOne("parent", "Node", inverse: "children"), .toMany("children", "Node", inverse: "parent"),
            .toOne("next", "Node"), .toOne("tag", "Tag"), .toMany("tags", "Tag", inverse: "nodes"),
            .toMany("friends", "Node"), .toMany("items", "Item", inverse: "node"), .toOne("owner", "Owner"),
          ]))
    }

    /// Syncs a text into both, and compares what is stored, in which order, and what is reported.
    func sync(
      _ text: String, _ format: PayloadFormat = .json, at path: String = "", windowBytes: Int = 1,
      _ adjust: (inout SyncRequest) -> Void = { _ in }
    ) async throws {
      var outcomes: [Result<SyncReport, any Error>] = []
      for (store, windowBytes) in [(inWindows, windowBytes), (atOnce, .max / 4)] {
        do {
          let document = try PayloadDocument(
            .array(Array(text.utf8)), format, rowsAt: PayloadPath(path), windowBytes: windowBytes)
          var request = SyncRequest(
            entity: "Node", document: document, form: .collectionOrItem, at: PayloadPath(path))
          adjust(&request)
          outcomes.append(.success(try await request.run(in: store.store, author: nil, plans: store.plans)))
        } catch {
          outcomes.append(.failure(error))
        }
      }
      switch (outcomes[0], outcomes[1]) {
      case (.success(let left), .success(let right)): try #require(left == right, "\(text)")
      // Of several faults the first that is met is named, which depends on what is looked at first.
      case (.failure(let left), .failure(let right)): #expect(type(of: left) == type(of: right), "\(left), \(right)")
      default: Issue.record("\(outcomes) of \(text)")
      }
      for entity in ["Node", "Tag", "Item", "Owner", "Part"] {
        try #require(try inWindows.contents(entity) == atOnce.contents(entity), "\(text)")
      }
      try #require(try inWindows.store.read { try $0.checkInvariants().isEmpty })
    }
  }

  @Test(arguments: 0..<100)
  func windowsChangeNothing(_ seed: Int) async throws {
    var random = SplitMix64(seed: UInt64(7000 + seed))
    let twins = try Twins()
    for tag in 1...4 { _ = try [twins.inWindows, twins.atOnce].map { try $0.sync(#"{"id":\#(tag)}"#, as: "Tag") } }
    // How odd rows are: only plain ones, some that refer to others, some that are entangled, some with objects in them.
    let oddity = seed % 4
    for step in 0..<15 {
      var ids = Array(1...12).filter { _ in Int.random(in: 0..<5, using: &random) > 0 }
      if Int.random(in: 0..<3, using: &random) == 0 { ids.shuffle(using: &random) }
      var rows = ids.map { row($0, oddity: oddity, using: &random) }
      if oddity == 2, Int.random(in: 0..<6, using: &random) == 0 {
        rows.append(row(Int.random(in: 1...12, using: &random), oddity: oddity, using: &random))
      }
      if Int.random(in: 0..<8, using: &random) == 0 { rows.insert(#"{"name":"nobody"}"#, at: rows.count / 2) }
      let operations = SyncRelationshipOperations(rawValue: Int.random(in: 0...7, using: &random))
      let isUsual = Int.random(in: 0..<3, using: &random) > 0
      let policy = [UnreadableValuePolicy.replace, .keep, .reject][Int.random(in: 0..<3, using: &random)]
      let parent = Int.random(in: 0..<10, using: &random) == 0 ? RowNumber(rawValue: 1) : nil
      let windowBytes = [1, 40, 200][Int.random(in: 0..<3, using: &random)]
      let format = step % 4
      let text =
        switch format {
        case 0: rows.joined(separator: "\n")
        case 1: #"{"data":{"rows":[\#(rows.joined(separator: ", "))]}}"#
        default: "[\(rows.joined(separator: format == 2 ? "," : " ,\n"))]"
        }
      try await twins.sync(
        text, format == 0 ? .ndjson : .json, at: format == 1 ? "data.rows" : "", windowBytes: windowBytes
      ) { request in
        if !isUsual {
          request.operations = operations
          request.convention.unreadableValues = policy
          request.missing = policy == .keep ? .keep : .delete
        }
        if let parent { request.scope.parent = .init(relationship: "tag", row: parent) }
      }
    }
  }

  private func row(_ id: Int, oddity: Int, using random: inout SplitMix64) -> String {
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    func list(_ range: ClosedRange<Int>) -> String {
      "[" + (0..<number(0...3)).map { _ in "\(number(range))" }.joined(separator: ",") + "]"
    }
    var members = [#""id":\#(id)"#, #""name":"n\#(number(0...2))""#]
    if number(0...1) == 0 { members.append(#""count":\#(["1", "2", "null", "\"x\"", "1.5"][number(0...4)])"#) }
    if number(0...3) == 0 { members.append(#""at":"\#(["2020-01-01", "soon"][number(0...1)])""#) }
    if number(0...1) == 0 { members.append(#""tag_ids":\#(list(1...4))"#) }
    if number(0...2) == 0 { members.append(#""tag_id":\#(number(0...4) == 0 ? "null" : "\(number(1...4))")"#) }
    if oddity == 3 { members += nested(id, using: &random) }
    if oddity == 1 || oddity == 2 {
      if number(0...2) == 0 { members.append(#""tag_ids":\#(list(1...6))"#) }
      if number(0...2) == 0 { members.append(#""parent_id":\#(number(0...4) == 0 ? "null" : "\(number(1...14))")"#) }
      if number(0...2) == 0 { members.append(#""next_id":\#(["\"x\"", "\(number(1...14))"][number(0...1)])"#) }
      if number(0...2) == 0 { members.append(#""friend_ids":\#(list(1...14))"#) }
      if number(0...5) == 0 { members.append(#""item_ids":\#(list(1...2))"#) }
    }
    if oddity == 2, number(0...5) == 0 {
      switch number(0...3) {
      case 0: members.append(#""child_ids":\#(list(1...12))"#)
      case 1: members.append(#""items":[{"id":\#(number(1...4)),"name":"i"}]"#)
      case 2: members.append(#""tag":{"name":"x"}"#)
      default: members.append(#""parent":{"id":\#(number(1...12)),"name":"p"}"#)
      }
    }
    return "{" + members.joined(separator: ",") + "}"
  }

  /// Objects in a row, mostly with rows of their own, sometimes those of other rows, with other values too.
  private func nested(_ id: Int, using random: inout SplitMix64) -> [String] {
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    func rarely() -> Bool { number(0...11) == 0 }
    func part() -> String { #"{"id":\#(number(1...5)),"name":"\#(rarely() ? "other" : "p")"}"# }
    func list(_ count: Int, _ element: () -> String) -> String {
      "[" + (0..<count).map { _ in element() }.joined(separator: ",") + "]"
    }
    func owner() -> String {
      let id = number(1...4)
      let name = rarely() ? "" : #","name":"o\#(rarely() ? "" : "\(id)")""#
      return #"{"id":\#(id)\#(name)}"#
    }
    var members: [String] = []
    if number(0...1) == 0 {
      var next = 0
      members.append(
        #""items":"#
          + list(number(0...2)) {
            next += 1
            var item = [#""id":\#(rarely() ? number(1...40) : id * 10 + next)"#, #""name":"i\#(number(0...2))""#]
            if number(0...2) == 0 { item.append(#""parts":"# + list(number(0...2), part)) }
            if rarely() { item.append(#""node_id":\#(number(1...12))"#) }
            if rarely() { item.append(#""owner":\#(owner())"#) }
            return "{" + item.joined(separator: ",") + "}"
          })
    }
    if number(0...1) == 0 { members.append(rarely() ? #""owner_id":\#(number(1...5))"# : #""owner":\#(owner())"#) }
    if rarely() { members.append(#""parent":{"id":\#(number(1...12)),"name":"p"}"#) }
    if rarely() { members.append(#""item_ids":[\#(number(1...40))]"#) }
    return members
  }

  @Test("Rows with objects in them are taken window by window, when no two windows say different things of one")
  func nestedObjects() async throws {
    let rows = (1...300).map { id in
      let items = (1...3).map {
        #"{"id":\#(id * 10 + $0),"name":"i","parts":[{"id":\#(id * 10 + $0),"name":"p"}]}"#
      }
      let owner = #"{"id":\#(id % 7),"name":"o"}"#
      return #"{"id":\#(id),"name":"n","owner":\#(owner),"items":[\#(items.joined(separator: ","))]}"#
    }
    #expect(try await transactions(for: "[\(rows.joined(separator: ","))]") == 1)
    // One row more says something else of an object than the first did.
    let other = rows + [#"{"id":301,"name":"n","owner":{"id":1,"name":"x"}}"#]
    #expect(try await transactions(for: "[\(other.joined(separator: ","))]") == 2)
  }

  /// How many transactions a sync of a text in many windows takes.
  private func transactions(for text: String) async throws -> Int {
    let twins = try Twins()
    let count = Mutex(0)
    for _ in 0..<2 {
      count.withLock { $0 = 0 }
      try await twins.sync(text, windowBytes: 1000) { request in
        request.hooks.phase = { phase, _ in if phase == .wait { count.withLock { $0 += 1 } } }
      }
    }
    // The twin that takes all at once has one.
    return count.withLock { $0 } - 1
  }

  @Test("A list that is longer than the report's is cut where it would be from all rows at once")
  func longReports() async throws {
    let twins = try Twins()
    let rows = (1...1500).map { id in
      #"{"id":\#(id),"name":"n","count":"x","next_id":\#(id % 3 == 0 ? "\"x\"" : "9\(id)"),"friend_ids":[7\#(id)],"tag_id":{"id":1}}"#
    }
    let plain = rows.map { $0.replacing(#","tag_id":{"id":1}"#, with: "") }
    try await twins.sync("[\(plain.joined(separator: ","))]", windowBytes: 1000)
    try await twins.sync("[\(rows.joined(separator: ","))]", windowBytes: 1000)
  }

  @Test(
    "A fault far behind leaves nothing of the rows before it",
    arguments: ["{\"id\":7,}", "7", "{\"id\":7", "{\"id\":7,\"name\":\"\u{1}\"}"])
  func faults(_ row: String) async throws {
    let twins = try Twins()
    let rows = (10..<20).map { #"{"id":\#($0),"name":"n"}"# } + [row]
    try await twins.sync("[\(rows.joined(separator: ","))]")
    try await twins.sync("[\(rows.joined(separator: ","))")
    try await twins.sync(rows.joined(separator: "\n"), .ndjson)
    #expect(try twins.inWindows.rows("Node").isEmpty)
  }
}

@Suite("Texts of a few bytes")
struct ShortTextTests {
  @Test("Data of every small length is read as it is", arguments: 0..<30)
  func shortData(_ length: Int) async throws {
    let store = try TestStore(.entity("Tag", id: .string))
    for letter in "abcdefgh" {
      let id = String(repeating: letter, count: length)
      let document = try PayloadDocument(json: Data("[{\"id\":\"\(id)\"}]".utf8), rowsAt: PayloadPath())
      let request = SyncRequest(entity: "Tag", document: document)
      _ = try await request.run(in: store.store, author: nil, plans: store.plans)
      #expect(try store.rows("Tag") == ["\(id):"])
    }
  }
}

extension TestStore {
  /// An entity's rows with their numbers, and the members of relationships in their order.
  fileprivate func contents(_ name: String) throws -> [String] {
    try store.read { snapshot in
      guard let entity = snapshot.catalog.entity(named: name) else { return [] }
      var rows: [String] = []
      try snapshot.forEachRecord(of: entity) { row, record in
        var text = "\(row.rawValue):"
        for attribute in entity.attributes { text += " \(record.value(attribute.field).reportText)" }
        for relationship in entity.relationships {
          let far =
            relationship.isToMany
            ? try snapshot.members(of: relationship, owner: row)
            : try snapshot.destination(of: relationship, row: row).map { [$0] } ?? []
          text += " \(relationship.name)=\(far.map { String($0.rawValue) }.joined(separator: ","))"
        }
        rows.append(text)
        return .continue
      }
      return rows
    }
  }
}
