import Foundation
import SyncEngine
import Testing

@testable import SwiftSync

@MainActor
@Suite("Syncs of objects for one parent (8, 9)")
struct ObjectScopeTests {
  let container: ModelContainer
  var context: ModelContext { container.mainContext }

  /// Projects 1 and 2. Project 1 has tickets 1 and 2, project 2 has ticket 3, and ticket 4 has none. Album rows have no unique
  /// attribute: artists Ann and Bo have an album 1 each.
  init() throws {
    container = try ModelContainer(
      for: Project.self, Album.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let projects = [Project(id: 1, name: "one"), Project(id: 2, name: "two")]
    for project in projects { context.insert(project) }
    for (id, project) in [(1, projects[0]), (2, projects[0]), (3, projects[1]), (4, nil)] {
      context.insert(Ticket(id: id, title: "t\(id)", project: project))
    }
    for name in ["Ann", "Bo"] {
      let album = Album(id: 1, title: "by \(name)")
      context.insert(album)
      album.artist = Artist(first: name, last: "")
    }
    try context.save()
  }

  private func sync<Model: SyncUpdatableModel>(
    _ rows: [[String: Any]], isCollection: Bool = true, as model: Model.Type, _ relationship: PartialKeyPath<Model>,
    _ parent: any PersistentModel
  ) async throws -> SyncReport {
    let property = try #require(Model.modelTable.property(at: relationship))
    let context = ModelContext(container)
    let request = ObjectSyncRequest(
      rows: rows, isCollection: isCollection,
      parent: .init(relationship: property, identifier: parent.persistentModelID))
    return try await ObjectSync(request, of: model, in: context).run()
  }

  private func project(_ id: Int) throws -> Project {
    try #require(try context.fetch(FetchDescriptor<Project>()).first { $0.id == id })
  }

  private func artist(_ name: String) throws -> Artist {
    try #require(try context.fetch(FetchDescriptor<Artist>()).first { $0.first == name })
  }

  /// The tickets as `id:project`.
  private func tickets() throws -> [String] {
    let context = ModelContext(container)
    return try context.fetch(FetchDescriptor<Ticket>(sortBy: [SortDescriptor(\.id)])).map {
      "\($0.id):\($0.project.map { "\($0.id)" } ?? "-")"
    }
  }

  @Test("8.2 Rows of the parent are inserted, moved from others and deleted; other parents' rows stay")
  func collection() async throws {
    let report = try await sync(
      [["id": 2], ["id": 3], ["id": 9, "title": "new", "state.id": "open"]], as: Ticket.self, \.project, project(1))
    #expect(try tickets() == ["2:1", "3:1", "4:-", "9:1"])
    #expect(
      report.entities["Ticket"]?.description == "1 inserted, 1 updated, 1 deleted, 1 unchanged, 2 linked, 1 unlinked")
    _ = try await sync([], as: Ticket.self, \.project, project(1))
    #expect(try tickets() == ["4:-"])
  }

  @Test("B-16 The given parent wins over a foreign key, null and a nested object for the same relationship")
  func parentWins() async throws {
    _ = try await sync(
      [
        ["id": 1, "project_id": 2], ["id": 2, "project_id": NSNull()],
        ["id": 3, "project": ["id": 7, "name": "other"]], ["id": 8, "title": "n", "state.id": "open", "project_id": 2],
      ], as: Ticket.self, \.project, project(1))
    #expect(try tickets() == ["1:1", "2:1", "3:1", "4:-", "8:1"])
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Project>()) == 2)
  }

  @Test("B-16 No list of another object takes a row of the payload away from the given parent")
  func parentHoldsItsRows() async throws {
    let other: [String: Any] = ["id": 2, "tickets": [["id": 1], ["id": 2], ["id": 3]]]
    let assignee: [String: Any] = ["id": "a", "name": "A", "assigned_tickets": [["id": 3, "project": other]]]
    _ = try await sync([["id": 1], ["id": 2, "assignee": assignee]], as: Ticket.self, \.project, project(1))
    #expect(try tickets() == ["1:1", "2:1", "3:2", "4:-"])
  }

  @Test("8.1 Without a unique identity it means a row of this parent only")
  func scopedIdentity() async throws {
    let report = try await sync(
      [["id": 1, "title": "Ann's"], ["id": 2, "title": "new"]], as: Album.self, \.artist, artist("Ann"))
    #expect(report.entities["Album"]?.description == "1 inserted, 1 updated, 1 linked")
    _ = try await sync([["id": 2, "title": "Bo's"]], isCollection: false, as: Album.self, \.artist, artist("Bo"))
    let albums = try ModelContext(container).fetch(FetchDescriptor<Album>())
    #expect(
      albums.map { "\($0.artist?.first ?? "-") \($0.id) \($0.title)" }.sorted()
        == ["Ann 1 Ann's", "Ann 2 new", "Bo 1 by Bo", "Bo 2 Bo's"])
  }

  @Test("9 An item moves its row, touches no other, and without identity does not even ask for the parent")
  func item() async throws {
    _ = try await sync([["id": 3, "title": "moved"]], isCollection: false, as: Ticket.self, \.project, project(1))
    #expect(try tickets() == ["1:1", "2:1", "3:1", "4:-"])
    let report = try await sync(
      [["title": "nobody"]], isCollection: false, as: Ticket.self, \.project, Project(id: 9, name: ""))
    #expect(report.skippedRows.count == 1)
  }

  @Test("8.2-2 A parent that the context does not have is refused, and nothing is written")
  func unknownParent() async throws {
    let unsaved = Project(id: 9, name: "unsaved")
    context.insert(unsaved)
    let error = await #expect(throws: SyncError.self) {
      _ = try await sync([["id": 1]], as: Ticket.self, \.project, unsaved)
    }
    #expect("\(try #require(error))".contains("parent"))
    #expect(try tickets().count == 4)
  }
}
