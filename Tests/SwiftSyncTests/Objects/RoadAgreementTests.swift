import Foundation
import Testing

@testable import SwiftSync

/// The decision tables of sections 10.2 and 10.3: whatever stands under a relationship's key, whatever the operations, for a row
/// that is new or there already. Both roads come to the same graph and the same report.
@Suite("Records and objects: a payload comes to the same by both roads (10.2, 10.3)")
struct RoadAgreementTests {
  /// A relationship's key and the values to put under it. The store has clubs 1 and 2, badges 1 to 3, and member 7 with club 1 and
  /// badges 1 and 2.
  struct Shape: Sendable, CustomTestStringConvertible {
    let key: String
    let values: [String]

    var testDescription: String { key }
  }

  static let shapes = [
    Shape(
      key: "club_id",
      values: ["null", "1", "2", "2.0", "2.5", "99", #""2""#, "true", "{}", #"{"id":2}"#, "[2]", "[]"]),
    Shape(
      key: "club",
      values: [
        "null", "2", "{}", "[]", #"{"id":2}"#, #"{"id":2,"name":"Navy"}"#, #"{"id":1,"name":"Red"}"#,
        #"{"id":9,"name":"New"}"#, #"{"id":9}"#, #"{"name":"Crimson"}"#, #"{"name":null}"#,
        #"{"id":"2","name":"Text"}"#,
        #"{"id":2,"name":["x"]}"#, #"[{"id":2,"name":"Navy"}]"#,
      ]),
    Shape(
      key: "badge_ids",
      values: [
        "null", "[]", "[2,3]", "[2,1]", "[1,2]", "[2,3,3,50]", "[50]", #"[2,"3"]"#, "[2,null]", "2", "{}", "[{}]",
        #"[{"id":2}]"#, "[2.0]",
      ]),
    Shape(
      key: "badges",
      values: [
        "null", "[]", "[2]", "{}", "[{}]", #"[{"id":2},{}]"#, #"[{"id":2},{"id":3,"label":"gold"}]"#,
        #"[{"id":3,"label":"gold"},{"id":4,"label":"new"}]"#, #"[{"id":4,"label":"a"},{"id":4,"label":"b"}]"#,
        #"[{"id":2},3]"#, #"[{"label":"x"}]"#, #"[{"id":4}]"#, #"{"id":2}"#,
      ]),
    Shape(key: "club_id\":2,\"club", values: [#"{"id":1,"name":"Z"}"#, "null"]),
    Shape(key: "badges\":[{\"id\":3,\"label\":\"z\"}],\"badge_ids", values: ["[1]", "null", "7"]),
  ]

  @Test("10.2, 10.3 The decision tables", arguments: shapes)
  func decisionTable(_ shape: Shape) async throws {
    let (records, objects) = (try Self.memberStore(), try Self.memberStore())
    for value in shape.values {
      for operations in (0...7).map(SyncRelationshipOperations.init(rawValue:)) {
        for row in [#""id":7"#, #""id":8,"name":"Bo","joined":"2021-05-05""#] {
          let json = "{\(row),\"\(shape.key)\":\(value)}"
          let expected = try await outcome(json, .engine, operations, in: records)
          let actual = try await outcome(json, .objects, operations, in: objects)
          #expect(expected == actual, "\(json) with \(operations.rawValue)")
        }
      }
    }
  }

  /// What comes of a payload in the store of the contract's worked examples.
  private func outcome(
    _ json: String, _ road: Road, _ operations: SyncRelationshipOperations, in container: ModelContainer
  ) async throws -> RoadOutcome {
    for (model, rows) in Self.contents {
      func fill<Model: SyncMappedModel>(_ model: Model.Type) async throws {
        _ = try await container.sync(rows, as: model, by: .engine)
      }
      try await fill(model)
    }
    return try await container.outcome(of: json, as: Member.self, by: road, operations: operations)
  }

  private static let contents: [(any SyncMappedModel.Type, String)] = [
    (Club.self, #"[{"id":1,"name":"Red"},{"id":2,"name":"Blue"}]"#),
    (Badge.self, #"[{"id":1,"label":"b1"},{"id":2,"label":"b2"},{"id":3,"label":"b3"}]"#),
    (Member.self, #"[{"id":7,"name":"Ann","age":30,"joined":"2020-01-01","club_id":1,"badge_ids":[1,2]}]"#),
  ]

  private static func memberStore() throws -> ModelContainer {
    try ModelContainer(for: Member.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
  }

  @Test(
    "4, 7 What becomes of attributes and rows is the same by both roads, and so is what fails",
    arguments: SyncTests.examples.map(\.json) + [
      #"[{"id":7,"name":null,"age":null,"joined":null}]"#, #"[{"id":7,"joined":"??","age":"31 "}]"#,
      #"[{"id":7,"name":["x"]}]"#, #"[{"id":8,"name":"Bo"}]"#, #"[]"#, #"[{"nid":1}]"#, #"[1]"#,
      #"[{"id":null,"remote_id":7,"name":"R"}]"#, #"[{"name":"x"},{"id":7,"name":"Y"},{"id":"7","age":1}]"#,
      #"{"name":"nobody"}"#, #"{"id":7.9,"age":"x"}"#, #"[{"id":7,"joined":1441888808000,"name":12}]"#,
    ])
  func rows(_ json: String) async throws {
    let records = try await outcome(json, .engine, .all, in: Self.memberStore())
    let objects = try await outcome(json, .objects, .all, in: Self.memberStore())
    #expect(records == objects)
  }

  @Test(
    "B-21, B-22 Nesting at every depth, forward references, members that lists and their own keys claim",
    arguments: [
      // A ticket refers to one that comes later, to itself, to a person that only a later row nests.
      (Node.self as any SyncMappedModel.Type, #"[{"id":1,"parent_id":2,"next_id":1},{"id":2,"next_id":3},{"id":3}]"#),
      (Node.self, #"[{"id":1,"parent":{"id":2,"parent":{"id":3,"children_ids":[1,2]}}}]"#),
      (Node.self, #"[{"id":1,"children":[{"id":2,"parent_id":3},{"id":4}]},{"id":3,"children_ids":[4]}]"#),
      (Node.self, #"[{"id":1,"children":[{"id":2,"children":[{"id":3}]}]},{"id":3,"next_id":2}]"#),
      (
        Project.self, #"[{"id":1,"name":"A","tickets":[{"id":5,"title":"t","state":{"id":"open"},"assignee_id":"u"}]}]"#
      ),
      (
        Ticket.self,
        #"[{"id":1,"title":"a","state":{"id":"open"},"assignee_id":"u"},"#
          + #"{"id":2,"title":"b","state":{"id":"closed"},"assignee":{"id":"u","name":"U"},"project":{"id":3,"name":"P"}}]"#
      ),
      (Ticket.self, #"[{"id":1,"title":"a","state":{"id":"gone"}}]"#),
    ])
  func nesting(_ model: any SyncMappedModel.Type, _ json: String) async throws {
    func outcome<Model: SyncMappedModel>(_ model: Model.Type, _ road: Road) async throws -> RoadOutcome {
      try await trackerContainer().outcome(of: json, as: model, by: road, countsLinks: false)
    }
    let engine = try await outcome(model, .engine)
    let objects = try await outcome(model, .objects)
    #expect(engine == objects)
  }

  @Test(
    "7.3 The report also counts and names what cascades delete in models that the payload does not speak about",
    arguments: Road.allCases)
  func cascades(_ road: Road) async throws {
    let container = try trackerContainer()
    _ = try await container.sync(
      #"[{"id":1,"name":"A","tickets":[{"id":1,"title":"a","state":{"id":"open"}}]}]"#, as: Project.self, by: road)
    let report = try await container.sync("[]", as: Project.self, by: road)
    #expect(report.entities.mapValues(\.description) == ["Project": "1 deleted", "Ticket": "1 deleted"])
    #expect(report.identities.mapValues(\.deleted) == ["Project": ["1"], "Ticket": ["1"]])
  }
}
