import Records
import Testing

@testable import SyncEngine

/// Which rows a sync tells by their texts, and which it reads.
@Suite struct DigestTests {
  private let store: TestStore

  init() throws {
    store = try TestStore(
      .entity("Tag", [.optional("name", .string)], [.toMany("nodes", "Node", inverse: "tags")]),
      .entity(
        "Node", [.optional("name", .string), .optional("count", .int16)],
        [
          .toOne("parent", "Node"), .toMany("tags", "Tag", inverse: "nodes"),
          .toMany("items", "Item", inverse: "node"), .toMany("likes", "Node", inverse: "likedBy"),
          .toMany("likedBy", "Node", inverse: "likes"),
        ]),
      .entity("Item", [], [.toOne("node", "Node", inverse: "items")]))
    try store.sync(#"[{"id":1},{"id":2}]"#, as: "Tag")
  }

  private static let rows = [
    #"{"id":1,"name":"a","tag_ids":[1,2]}"#, #"{"id":2,"name":"b\n","parent_id":1}"#, #"{"id":3}"#,
  ]

  private static func payload(_ rows: [String]) -> String { "[" + rows.joined(separator: ",\n ") + "]" }

  private func recognized(
    _ payload: String = payload(rows), as entity: String = "Node",
    _ adjust: (inout SyncRequest) throws -> Void = { _ in }
  ) throws -> Int {
    let report = try store.sync(payload, as: entity, adjust)
    #expect(try store.store.read { try $0.checkInvariants().isEmpty })
    return report.recognizedRows
  }

  @Test func theSameTextIsRecognized() throws {
    #expect(try recognized() == 0)
    #expect(try recognized() == 3)
    // Wherever it stands, and how often.
    let rows = Self.rows.reversed() + [Self.rows[0]]
    #expect(try recognized(Self.payload(Array(rows))) == 3)
    #expect(try recognized(Self.payload([Self.rows[0]])) == 1)
    #expect(try store.rows("Node") == ["1: name=a tags=1,2"])
  }

  @Test func theReportIsTheSame() throws {
    try store.sync(Self.payload(Self.rows), as: "Node")
    let rows = [Self.rows[0], #"{"id":2,"name":"c"}"#, Self.rows[2], #"{"id":4}"#]
    let report = try store.sync(Self.payload(rows), as: "Node")
    #expect(report.recognizedRows == 2)
    let counts = try #require(report.entities["Node"])
    #expect(counts.unchanged == 2 && counts.updated == 1 && counts.inserted == 1 && counts.deleted == 0)
    #expect(report.identities["Node"]?.unchanged == ["1", "3"])
    let missing = try store.sync(Self.payload([rows[3], Self.rows[2], rows[1]]), as: "Node")
    #expect(missing.identities["Node"]?.unchanged == ["4", "3", "2"])
    #expect(missing.identities["Node"]?.deleted == ["1"])
  }

  @Test func anEnvelopeAndAnyWhiteSpaceAroundRowsAreNoObstacle() throws {
    try store.sync(Self.payload(Self.rows), as: "Node")
    for (path, text) in [
      ("data", "{\"n\":[1,{}], \"data\" :\(Self.payload(Self.rows)),\"after\":null}"),
      ("a.b", "{\"a\":{\"b\": [ \(Self.rows.joined(separator: " , ")) ]}}"),
    ] {
      let path = PayloadPath(path)
      let document = try PayloadDocument(json: Array(text.utf8), rowsAt: path)
      let report = try store.sync(
        SyncRequest(entity: "Node", document: document, form: .collectionOrItem, at: path))
      #expect(report.recognizedRows == 3)
    }
  }

  /// A row that is read every time.
  static let readRows = [
    #"{"id":1,"parent_id":99}"#, #"{"id":1,"tag_ids":[1,99]}"#, #"{"id":1,"count":"many"}"#, #"{"id":1,"tag_ids":5}"#,
    #"{"id":1,"tags":[{"id":1,"name":"x"}]}"#, #"{"id":1,"parent":{"id":1}}"#, #"{"id":1,"item_ids":[]}"#,
  ]

  @Test(arguments: readRows)
  func rowsThatDependOnOthersAreRead(_ row: String) throws {
    let payload = Self.payload([row, Self.rows[2]])
    #expect(try recognized(payload) == 0)
    #expect(try recognized(payload) == 1)
  }

  @Test func bothEndsOfARelationshipAreReadTogether() throws {
    let payload = Self.payload([#"{"id":1,"like_ids":[2]}"#, #"{"id":2,"liked_by_ids":[1]}"#, #"{"id":3}"#])
    #expect(try recognized(payload) == 0)
    #expect(try recognized(payload) == 0)
    // Also if only a row that is new shows the other end.
    let rows = [#"{"id":1,"like_ids":[2]}"#, #"{"id":2}"#]
    #expect(try recognized(Self.payload(rows)) == 0)
    #expect(try recognized(Self.payload(rows)) == 2)
    #expect(try recognized(Self.payload(rows + [#"{"id":3,"liked_by_ids":[]}"#])) == 0)
    // One end alone is no obstacle, in new rows too.
    #expect(try recognized(Self.payload(rows)) == 2)
    #expect(try recognized(Self.payload(rows + [#"{"id":3,"like_ids":[1]}"#])) == 2)
  }

  @Test func anotherObjectOfTheSameRowHasAllRowsRead() throws {
    try store.sync(Self.payload(Self.rows), as: "Node")
    #expect(try recognized(Self.payload(Self.rows + [#"{"id":1,"name":"z"}"#])) == 0)
    #expect(try store.rows("Node").first == "1: name=z tags=1,2")
    #expect(try recognized(Self.payload(Self.rows)) == 2)
    #expect(try store.rows("Node").first == "1: name=a tags=1,2")
    #expect(try recognized(Self.payload(Self.rows + [#"{"id":4,"parent":{"id":3,"name":"y"}}"#])) == 0)
  }

  @Test func anotherWayOfReadingIsAnotherDigest() throws {
    try store.sync(Self.payload(Self.rows), as: "Node")
    #expect(try recognized { $0.convention.keyStyle = .camelCase } == 0)
    #expect(try recognized { $0.convention.unreadableValues = .keep } == 0)
    #expect(try recognized { $0.operations = [.insert, .update] } == 0)
    // Those of a convention take the place of another's.
    #expect(try recognized() == 0)
    #expect(try recognized() == 3)
  }

  @Test func aChangedRowIsRead() throws {
    try store.sync(Self.payload(Self.rows), as: "Node")
    try store.sync(#"{"id":3,"name":"elsewhere"}"#, as: "Node")
    #expect(try recognized() == 2)
    // What refers to a row that goes is read, what doesn't is not.
    try store.sync(#"[{"id":2}]"#, as: "Tag")
    #expect(try recognized() == 2)
    #expect(try store.rows("Node").first == "1: name=a tags=2")
  }

  @Test func fewRowsOfManyAreNotLookedUp() throws {
    let rows = (1...100).map { "{\"id\":\($0)}" }
    try store.sync(Self.payload(rows), as: "Node")
    #expect(try recognized(Self.payload(Array(rows[..<10]))) { $0.missing = .keep } == 0)
    #expect(try recognized(Self.payload(Array(rows[..<20]))) { $0.missing = .keep } == 20)
  }

  @Test func aMalformedRowAmongKnownOnesIsFound() throws {
    try store.sync(Self.payload(Self.rows), as: "Node")
    for text in [
      Self.payload(Self.rows + [#"{"id":4,"name":tru}"#]), Self.payload(Self.rows + [#"{"id":[4}"#]),
      Self.payload(Self.rows).dropLast() + "", Self.payload(Self.rows) + "]",
      "[" + Self.rows[0] + " " + Self.rows[1] + "]",
      "[" + Self.rows[0] + ",]",
    ] {
      #expect(throws: (any Error).self, "\(text)") { try store.sync(text, as: "Node") }
    }
    #expect(try store.rows("Node").count == 3)
    #expect(try recognized() == 3)
  }
}
