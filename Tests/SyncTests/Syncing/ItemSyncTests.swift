import Records
import SyncEngine
import Testing

@testable import Sync

@Suite("CD-6 One object at a time")
struct ItemSyncTests {
  private func world() throws -> SyncWorld {
    let world = try SyncWorld {
      ModelEntity("User") {
        ModelAttribute("id", .string)
        ModelAttribute("name", .string)
        ModelRelationship.toMany("notes", "Note", inverse: "user")
      }
      ModelEntity("Note") {
        ModelAttribute("id", .integer64)
        ModelRelationship.toOne("user", "User", inverse: "notes")
      }
    }
    try world.sync(#"[{"id": "1", "name": "a", "notes": [{"id": 5}]}, {"id": "2"}]"#, "User")
    return world
  }

  private func fill(_ world: SyncWorld, _ key: String, _ json: String) throws {
    try world.run(
      EntitySyncRequest(
        entity: "User", document: PayloadDocument(json: Array(json.utf8)),
        form: .itemOf(try world.object("User", key).row)))
  }

  @Test("CD-6 An object is found by its key, or made, and others stay")
  func insertOrUpdate() throws {
    let world = try world()
    let report = try world.sync(#"{"id": 1, "name": "b", "notes": [{"id": 6}]}"#, "User")
    #expect(try report.itemRow == world.object("User", "1").row)
    try world.sync(#"{"id": "3", "name": "c"}"#, "User")
    #expect(try world.objects("User") == ["1 name=b notes=6", "2", "3 name=c"])
    #expect(try world.objects("Note") == ["6 user=1"])
  }

  @Test("CD-6 An object that is given may get another key, which no other may have")
  func update() throws {
    let world = try world()
    try fill(world, "1", #"{"name": "b"}"#)
    #expect(try world.objects("User") == ["1 name=b notes=5", "2"])
    try fill(world, "1", "{}")
    try fill(world, "1", #"{"id": "9", "notes": [{"id": 5, "user_id": "2"}]}"#)
    #expect(try world.objects("User") == ["2", "9 name=b notes=5"])
    #expect(throws: (any Error).self) { try fill(world, "9", #"{"id": "2"}"#) }
    #expect(try world.objects("User") == ["2", "9 name=b notes=5"])
  }

  @Test("CD-3.1 What an object says about attributes can be read without a sync")
  func attributes() throws {
    let world = try SyncWorld {
      ModelEntity("User") {
        ModelAttribute("id", .integer64)
        ModelAttribute("firstName", .string)
        ModelAttribute("age", .integer16, isOptional: false)
        ModelAttribute("born", .date)
      }
    }
    let read = try world.attributes(#"{"first_name": null, "age": null, "id": "5", "born": "never", "x": 1}"#, "User")
    #expect(read.values.map { $0.name } == ["id", "firstName"])
    #expect(read.values.map { $0.value } == [.int(5), .null])
    #expect(read.unreadable == ["age", "born"])
    #expect(throws: EntitySyncError.unknownEntity("X")) { try world.attributes("{}", "X") }
    #expect(throws: SyncError.self) { try world.attributes("[]", "User") }
  }

  @Test("CD-12.1 A sync in a transaction of its own is undone when it is cancelled")
  func alone() async throws {
    let world = try world()
    let document = try PayloadDocument(json: Array(#"[{"id": 4}]"#.utf8))
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await world.runAlone(EntitySyncRequest(entity: "User", document: document))
    }
    await #expect(throws: SyncError.cancelled) { try await task.value }
    #expect(try world.count("User") == 2)
    try await world.runAlone(EntitySyncRequest(entity: "User", document: document))
    #expect(try world.objects("User") == ["4"])
  }

  @Test("CD-12.1 Syncs that overlap make nothing twice")
  func overlapping() async throws {
    let world = try world()
    let document = try PayloadDocument(json: Array(#"[{"id": 4, "notes": [{"id": 7}]}, {"id": "5"}]"#.utf8))
    let reports = try await withThrowingTaskGroup(of: SyncReport.self) { group in
      for _ in 0..<8 {
        group.addTask { try await world.runAlone(EntitySyncRequest(entity: "User", document: document)) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(try world.objects("User") == ["4 notes=7", "5"])
    #expect(reports.compactMap { $0.entities["User"]?.inserted }.reduce(0, +) == 2)
  }
}
