import Foundation
import SwiftSync
import Testing

@Syncable @Model final class Club {
  @Attribute(.unique) var id: Int
  var name: String

  init(id: Int, name: String) {
    self.id = id
    self.name = name
  }
}

@Syncable @Model final class Badge {
  @Attribute(.unique) var id: Int
  var label: String

  init(id: Int, label: String) {
    self.id = id
    self.label = label
  }
}

@Syncable @Model final class Member {
  @Attribute(.unique) var id: Int
  var name: String
  var age: Int?
  var joined: Date
  var club: Club?
  var badges: [Badge]

  init(id: Int, name: String, age: Int? = nil, joined: Date, club: Club? = nil, badges: [Badge] = []) {
    self.id = id
    self.name = name
    self.age = age
    self.joined = joined
    self.club = club
    self.badges = badges
  }
}

/// One call on the store of the contract's worked examples, and what member 7 looks like after it.
struct WorkedExample: Sendable, CustomTestStringConvertible {
  let json: String
  let operations: SyncRelationshipOperations
  /// `name age club:[badges]`, for each member, as in `7 Ann 30 1:[1, 2]`.
  let outcome: String

  init(_ json: String, _ outcome: String) {
    self.init(json, .all, outcome)
  }

  init(_ json: String, _ operations: SyncRelationshipOperations, _ outcome: String) {
    self.json = json
    self.operations = operations
    self.outcome = outcome
  }

  var testDescription: String { json }
}

@MainActor
@Suite("Sync through the public API: the contract's worked examples (appendix A)")
struct SyncTests {
  let container: SyncContainer

  init() async throws {
    container = try SyncContainer(for: Member.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = container.mainContext
    let clubs = [Club(id: 1, name: "Red"), Club(id: 2, name: "Blue")]
    let badges = (1...3).map { Badge(id: $0, label: "b\($0)") }
    let joined = try #require(ISO8601DateFormatter().date(from: "2020-01-01T00:00:00Z"))
    for club in clubs { context.insert(club) }
    for badge in badges { context.insert(badge) }
    context.insert(Member(id: 7, name: "Ann", age: 30, joined: joined, club: clubs[0], badges: [badges[0], badges[1]]))
    try context.save()
  }

  private func payload(_ json: String) throws -> [Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [Any])
  }

  private func members() throws -> String {
    let context = ModelContext(container.modelContainer)
    return try context.fetch(FetchDescriptor<Member>(sortBy: [SortDescriptor(\.id)])).map { member in
      let age = member.age.map { "\($0)" } ?? "-"
      let club = member.club.map { "\($0.id)" } ?? "-"
      return "\(member.id) \(member.name) \(age) \(club):\(member.badges.map(\.id).sorted())"
    }.joined(separator: ", ")
  }

  nonisolated static let examples = [
    WorkedExample(#"[{"id":7,"name":"Ann"}]"#, "7 Ann 30 1:[1, 2]"),
    WorkedExample(#"[{"id":"7","age":"31"}]"#, "7 Ann 31 1:[1, 2]"),
    WorkedExample(#"[{"id":7,"age":"x"}]"#, "7 Ann - 1:[1, 2]"),
    WorkedExample(#"[{"id":8,"name":"Bo","joined":"2021-05-05"}]"#, "8 Bo - -:[]"),
    WorkedExample(#"[{"id":7,"club_id":2}]"#, "7 Ann 30 2:[1, 2]"),
    WorkedExample(#"[{"id":7,"club_id":"2"}]"#, "7 Ann 30 1:[1, 2]"),
    WorkedExample(#"[{"id":7,"club_id":99}]"#, "7 Ann 30 1:[1, 2]"),
    WorkedExample(#"[{"id":7,"club_id":null}]"#, "7 Ann 30 -:[1, 2]"),
    WorkedExample(#"[{"id":7,"club_id":null}]"#, [.update], "7 Ann 30 1:[1, 2]"),
    WorkedExample(#"[{"id":7,"club":{"id":2,"name":"Navy"}}]"#, "7 Ann 30 2:[1, 2]"),
    WorkedExample(#"[{"id":7,"club":{"id":9,"name":"New"}}]"#, "7 Ann 30 9:[1, 2]"),
    WorkedExample(#"[{"id":7,"club":{"id":9,"name":"New"}}]"#, [.update], "7 Ann 30 1:[1, 2]"),
    WorkedExample(#"[{"id":7,"badge_ids":[2,3,3,50]}]"#, "7 Ann 30 1:[2, 3]"),
    WorkedExample(#"[{"id":7,"badge_ids":[2,3]}]"#, [.insert, .update], "7 Ann 30 1:[1, 2, 3]"),
    WorkedExample(#"[{"id":7,"badge_ids":[2,3]}]"#, [.insert], "7 Ann 30 1:[1, 2]"),
    WorkedExample(#"[{"id":7,"badge_ids":[2,"3"]}]"#, "7 Ann 30 1:[1, 2]"),
    WorkedExample(#"[{"id":7,"badges":[]}]"#, "7 Ann 30 1:[]"),
    WorkedExample(#"[{"id":7,"badges":null}]"#, "7 Ann 30 1:[]"),
    WorkedExample(#"[{"id":7,"badges":[{"id":3,"label":"gold"},{"id":4,"label":"new"}]}]"#, "7 Ann 30 1:[3, 4]"),
  ]

  @Test("Appendix A", arguments: examples)
  func workedExample(_ example: WorkedExample) async throws {
    try await container.sync(
      payload: payload(example.json), as: Member.self, relationshipOperations: example.operations)
    #expect(try members() == example.outcome)
  }

  @Test(
    "A failed sync throws what and where, and leaves store and main context as they were (B-13)",
    arguments: [
      #"[{"id":8,"name":"Bo"}]"#, #"[{"id":7,"name":"Zoe"},{"id":9}]"#, #"[1]"#, #"[{"nid":1}]"#,
      #"[{"id":7,"name":["x"]}]"#,
      #"[{"id":7,"badges":[{"label":"x"}]}]"#,
    ])
  func failedSync(_ json: String) async throws {
    let payload = try payload(json)
    await #expect(throws: SyncError.self) { try await container.sync(payload: payload, as: Member.self) }
    #expect(try members() == "7 Ann 30 1:[1, 2]")
    #expect(!container.mainContext.hasChanges)
  }

  @Test("7.2-4 A payload that is no array of objects is refused in the contract's words")
  func shape() async throws {
    let expected = SyncError.invalidPayload(model: "Member", reason: "Expected array of dictionaries")
    await #expect(throws: expected) { try await container.sync(payload: [1, 2], as: Member.self) }
    #expect(expected.errorDescription == "Invalid payload for Member: Expected array of dictionaries")
  }

  @Test(
    "Objects of the main context show a sync when it returns; unrelated unsaved edits stay and are not saved (B-18)")
  func mainContextIsFresh() async throws {
    let context = container.mainContext
    let member = try #require(try context.fetch(FetchDescriptor<Member>()).first)
    let club = try #require(try context.fetch(FetchDescriptor<Club>(sortBy: [SortDescriptor(\.id)])).first)
    club.name = "unsaved"
    let report = try await container.sync(item: ["id": 7, "name": "Anna", "badge_ids": [3]], as: Member.self)
    #expect(member.name == "Anna" && member.badges.map(\.id) == [3])
    #expect(report.entities["Member"]?.updated == 1)
    #expect(club.name == "unsaved" && context.hasChanges)
    #expect(
      try ModelContext(container.modelContainer).fetch(FetchDescriptor<Club>(sortBy: [SortDescriptor(\.id)])).first?
        .name == "Red")
    try await container.sync(payload: [], as: Member.self)
    #expect(member.isDeleted)
  }

  @Test("SyncJSON and types of one's own are payloads")
  func convertiblePayloads() async throws {
    struct Row: SyncPayloadConvertible {
      let id: Int
      func toSyncPayloadDictionary() -> [String: Any] { ["id": id, "name": "Row", "joined": "2024-02-29"] }
    }
    try await container.sync(payload: [Row(id: 1), Row(id: 2)], as: Member.self)
    #expect(try members() == "1 Row - -:[], 2 Row - -:[]")
    try await container.sync(payload: [try SyncJSON(["id": 2, "age": 5])], as: Member.self)
    #expect(try members() == "2 Row 5 -:[]")
    try await container.sync(item: try SyncJSON(dictionary: ["id": 2, "age": NSNull()]), as: Member.self)
    #expect(try members() == "2 Row - -:[]")
  }

  @Test("A cancelled task's sync throws `cancelled` and writes nothing (7.5)")
  func cancellation() async throws {
    let container = container
    let task = _Concurrency.Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await container.sync(payload: [], as: Member.self)
    }
    await #expect(throws: SyncError.cancelled) { try await task.value }
    #expect(try members() == "7 Ann 30 1:[1, 2]")
  }

  @Test("Syncs from many tasks run one after another, each whole (7.6)")
  func concurrentSyncs() async throws {
    let container = container
    try await withThrowingTaskGroup(of: Void.self) { group in
      for round in 1...20 {
        group.addTask {
          let rows = (1...10).map { ["id": $0, "name": "r\(round)", "joined": 0] as [String: Any] }
          try await container.sync(payload: rows, as: Member.self)
        }
      }
      try await group.waitForAll()
    }
    let names = try ModelContext(container.modelContainer).fetch(FetchDescriptor<Member>()).map(\.name)
    #expect(names.count == 10 && Set(names).count == 1)
  }

  @Test("Camel-case payloads, enums from nested keys, many-to-many by ids and by objects")
  func conventions() async throws {
    let container = try SyncContainer(
      for: Ticket.self, keyStyle: .camelCase, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let bug = UUID()
    try await container.sync(item: ["id": bug.uuidString, "text": "bug"], as: Label.self)
    try await container.sync(
      payload: [
        [
          "id": 1, "title": "T", "description": "D", "state": ["id": "closed"], "dueAt": 1_700_000_000,
          "assignee": ["id": "u", "name": "U"], "labelIds": [bug.uuidString.lowercased()],
        ]
      ], as: Ticket.self)
    let ticket = try #require(try container.mainContext.fetch(FetchDescriptor<Ticket>()).first)
    #expect(ticket.descriptionText == "D" && ticket.state == .closed && ticket.assignee?.name == "U")
    #expect(ticket.dueAt == Date(timeIntervalSince1970: 1_700_000_000) && ticket.labels.map(\.id) == [bug])
    #expect(ticket.labels.first?.tickets.first === ticket)
  }

  @Test(
    "A value that an enum does not have, null included, is unreadable: the sync fails and nothing is written (B-4)",
    arguments: [#"{"id":1,"title":"T","state":{"id":"paused"}}"#, #"{"id":1,"title":"T","state":{"id":null}}"#])
  func unknownEnumCase(_ json: String) async throws {
    let container = try SyncContainer(for: Ticket.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    await #expect(throws: SyncError.self) { try await container.sync(json: Data(json.utf8), as: Ticket.self) }
    #expect(try container.mainContext.fetchCount(FetchDescriptor<Ticket>()) == 0)
  }

  @Test("B-4 A container decides what becomes of unreadable values, and the report lists them")
  func unreadableValuePolicies() async throws {
    let outcomes: [(UnreadableValuePolicy, Int?)] = [(.replace, nil), (.keep, 30)]
    for (policy, age) in outcomes {
      let container = SyncContainer(container.modelContainer, unreadableValues: policy)
      try await container.sync(item: ["id": 7, "age": 30], as: Member.self)
      let report = try await container.sync(item: ["id": 7, "age": "x"], as: Member.self)
      #expect(try container.mainContext.fetch(FetchDescriptor<Member>()).first?.age == age)
      #expect(report.replacedValues.map(\.key) == ["age"])
    }
    let strict = SyncContainer(container.modelContainer, unreadableValues: .reject)
    await #expect(throws: SyncError.self) {
      try await strict.sync(item: ["id": 7, "name": "Zoe", "age": "x"], as: Member.self)
    }
    #expect(try members() == "7 Ann 30 1:[1, 2]")
  }

  @Test("JSON text is synced as it comes: an array is a collection, an object an item, anything else an error")
  func jsonText() async throws {
    try await container.sync(json: Data(#"{"id":8,"name":"Bo","joined":0}"#.utf8), as: Member.self)
    #expect(try members() == "7 Ann 30 1:[1, 2], 8 Bo - -:[]")
    try await container.sync(json: Data(#"[{"id":8,"age":9007199254740993}]"#.utf8), as: Member.self)
    #expect(try members() == "8 Bo 9007199254740993 -:[]")
    for broken in ["", "[", "17", #"[{"id":8,}]"#, #"{"id":8 "name":1}"#, "[{\"id\":8,\"name\":\"\u{1}\"}]"] {
      await #expect(throws: SyncError.self) { try await container.sync(json: Data(broken.utf8), as: Member.self) }
    }
    #expect(try members() == "8 Bo 9007199254740993 -:[]")
  }
}
