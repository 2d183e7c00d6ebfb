import Records
import Testing

@testable import SyncEngine

@Suite("Appendix A: One club with its member and badges, and what single payloads make of it")
struct WorkedExampleTests {
  static let ann = "7: name=Ann age=30 joined=2020-01-01T00:00:00.000Z club=1 badges=1,2"

  private func makeStore() throws -> TestStore {
    let store = try TestStore(
      .entity("Club", [.required("name", .string)]), .entity("Badge", [.required("label", .string)]),
      .entity(
        "Member", [.required("name", .string), .optional("age", .int64), .required("joined", .date)],
        [.toOne("club", "Club"), .toMany("badges", "Badge")]))
    try store.sync(#"[{"id":1,"name":"Red"},{"id":2,"name":"Blue"}]"#, as: "Club")
    try store.sync(#"[{"id":1,"label":"a"},{"id":2,"label":"b"},{"id":3,"label":"c"}]"#, as: "Badge")
    try store.sync(
      #"[{"id":7,"name":"Ann","age":30,"joined":"2020-01-01","club_id":1,"badge_ids":[1,2]}]"#, as: "Member")
    #expect(try store.rows("Member") == [Self.ann])
    return store
  }

  @Test(
    arguments: [
      (#"[{"id":7,"name":"Ann"}]"#, .all, ann),
      (#"[{"id":"7","age":"31"}]"#, .all, "7: name=Ann age=31 joined=2020-01-01T00:00:00.000Z club=1 badges=1,2"),
      (#"[{"id":7,"age":"x"}]"#, .all, "7: name=Ann joined=2020-01-01T00:00:00.000Z club=1 badges=1,2"),
      (#"[{"id":7,"joined":"??"}]"#, .all, "7: name=Ann age=30 joined=1970-01-01T00:00:00.000Z club=1 badges=1,2"),
      (#"[{"id":8,"name":"Bo","joined":"2021-05-05"}]"#, .all, "8: name=Bo joined=2021-05-05T00:00:00.000Z"),
      (#"[{"id":7,"club_id":2}]"#, .all, "7: name=Ann age=30 joined=2020-01-01T00:00:00.000Z club=2 badges=1,2"),
      (#"[{"id":7,"club_id":"2"}]"#, .all, ann),
      (#"[{"id":7,"club_id":99}]"#, .all, ann),
      (#"[{"id":7,"club":2}]"#, .all, ann),
      (#"[{"id":7,"club_id":null}]"#, .all, "7: name=Ann age=30 joined=2020-01-01T00:00:00.000Z badges=1,2"),
      (#"[{"id":7,"club_id":null}]"#, .update, ann),
      (
        #"[{"id":7,"badge_ids":[2,3,3,50]}]"#, .all,
        "7: name=Ann age=30 joined=2020-01-01T00:00:00.000Z club=1 badges=2,3"
      ),
      (
        #"[{"id":7,"badge_ids":[2,3,3,50]}]"#, [.insert, .update],
        "7: name=Ann age=30 joined=2020-01-01T00:00:00.000Z club=1 badges=1,2,3"
      ),
      (#"[{"id":7,"badge_ids":[2,3,3,50]}]"#, .insert, ann),
      (#"[{"id":7,"badge_ids":[2,"3"]}]"#, .all, ann),
      (#"[{"id":7,"badges":[]}]"#, .all, "7: name=Ann age=30 joined=2020-01-01T00:00:00.000Z club=1"),
      (#"[{"id":7,"badges":null}]"#, .all, "7: name=Ann age=30 joined=2020-01-01T00:00:00.000Z club=1"),
    ] as [(String, SyncRelationshipOperations, String)])
  func memberAfter(_ payload: String, _ operations: SyncRelationshipOperations, _ expected: String) throws {
    let store = try makeStore()
    try store.sync(payload, as: "Member", operations: operations)
    #expect(try store.rows("Member") == [expected])
  }

  @Test(
    arguments: [
      (#"[{"id":7,"club":{"id":2,"name":"Navy"}}]"#, .all, ["1: name=Red", "2: name=Navy"], "2"),
      (#"[{"id":7,"club":{"name":"Crimson"}}]"#, .all, ["1: name=Crimson", "2: name=Blue"], "1"),
      (#"[{"id":7,"club":{"id":9,"name":"New"}}]"#, .all, ["1: name=Red", "2: name=Blue", "9: name=New"], "9"),
      (#"[{"id":7,"club":{"id":9,"name":"New"}}]"#, .update, ["1: name=Red", "2: name=Blue"], "1"),
      (#"[{"id":7,"club_id":2,"club":{"id":1,"name":"Z"}}]"#, .all, ["1: name=Red", "2: name=Blue"], "2"),
    ] as [(String, SyncRelationshipOperations, [String], String)])
  func clubsAfter(
    _ payload: String, _ operations: SyncRelationshipOperations, _ clubs: [String], _ club: String
  ) throws {
    let store = try makeStore()
    try store.sync(payload, as: "Member", operations: operations)
    #expect(try store.rows("Club") == clubs)
    #expect(try store.rows("Member").first?.contains("club=\(club) ") == true)
  }

  @Test func nestedBadgesReplaceTheMembership() throws {
    let store = try makeStore()
    let report = try store.sync(
      #"[{"id":7,"badges":[{"id":3,"label":"gold"},{"id":4,"label":"new"}]}]"#, as: "Member")
    #expect(try store.rows("Badge") == ["1: label=a", "2: label=b", "3: label=gold", "4: label=new"])
    #expect(try store.rows("Member").first?.hasSuffix("badges=3,4") == true)
    #expect(report.entities["Badge"] == .init(inserted: 1, updated: 1))
    #expect(report.entities["Member"] == .init(updated: 1, linked: 2, unlinked: 2))
  }

  @Test(arguments: [
    #"[{"id":7,"name":["x"]}]"#, #"[{"id":8,"name":"Bo"}]"#, #"[{"id":7,"badges":[{"label":"x"}]}]"#,
  ])
  func refusesAndChangesNothing(_ payload: String) throws {
    let store = try makeStore()
    #expect {
      try store.sync(payload, as: "Member")
    } throws: { error in
      guard case SyncError.invalidPayload? = error as? SyncError else { return false }
      return true
    }
    #expect(try store.rows("Member") == [Self.ann])
    #expect(try store.rows("Badge") == ["1: label=a", "2: label=b", "3: label=c"])
  }

  @Test func anItemWithoutIdentityIsNothing() throws {
    let store = try makeStore()
    let report = try store.sync(#"{"name":"nobody"}"#, as: "Member")
    #expect(report.changedNothing)
    #expect(report.skippedRows == [.init(row: 0, pointer: "", entity: "Member", reason: .noIdentity)])
    #expect(try store.rows("Member") == [Self.ann])
  }
}
