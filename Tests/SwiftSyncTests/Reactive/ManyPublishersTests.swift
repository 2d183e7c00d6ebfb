import Foundation
import Testing

@testable import SwiftSync

@MainActor
@Suite("12.2 Ten thousand live publishers")
struct ManyPublishersTests {
  @Test("12.2 A commit asks those that it concerns, and none of the others")
  func checksPerCommit() async throws {
    let container = SyncContainer(try trackerContainer())
    let context = container.mainContext
    let projects = (0..<2_500).map { Project(id: $0, name: "Project \($0)") }
    for project in projects { context.insert(project) }
    for number in 0..<5_000 {
      context.insert(Ticket(id: number, title: "Ticket \(number)", project: projects[number / 2]))
    }
    try context.save()
    let details = (0..<5_000).map { SyncModelPublisher(Ticket.self, id: $0, in: container) }
    let lists = (0..<2_500).map {
      SyncQueryPublisher(
        Ticket.self, relationship: \.project, relationshipID: $0, in: container, sortBy: [SortDescriptor(\.title)])
    }
    let chosen = (0..<2_500).map { number in
      let id = number * 2
      return SyncQueryPublisher(Ticket.self, predicate: #Predicate { $0.id == id && $0.title != "" }, in: container)
    }
    let queries = try #require(context.liveQueries)
    #expect(queries.count == 10_000)
    #expect(chosen.allSatisfy { $0.rows.count == 1 } && lists.allSatisfy { $0.rows.count == 2 })

    // Ticket 100 is the row of a detail, in the list of its project, and what one predicate asks for.
    details[100].row?.estimate = 1
    try context.save()
    #expect(queries.checkedCount == 3)
    details[100].row?.title = ""
    try context.save()
    #expect(queries.checkedCount == 3 && chosen[50].rows.isEmpty)
    details[100].row?.project = projects[7]
    try context.save()
    // It, its two lists, and the projects' other tickets, which are shown with the projects.
    #expect(queries.checkedCount <= 10 && lists[7].rows.count == 3 && lists[50].rows.count == 1)
    // Two tickets by themselves, their list, and the one of them that a predicate asks for.
    projects[9].name = "renamed"
    try context.save()
    #expect(queries.checkedCount == 4)
    try await container.sync(item: ["id": 9_999, "title": "new", "state": ["id": "open"]], as: Ticket.self)
    #expect(queries.checkedCount == 0)
    try await container.sync(
      item: ["id": 10_000, "title": "new", "state": ["id": "open"], "project_id": 3], as: Ticket.self)
    #expect(queries.checkedCount <= 4 && lists[3].rows.count == 3)
    context.delete(projects[11])
    try context.save()
    #expect(queries.checkedCount <= 6 && lists[11].rows.isEmpty && details[22].row == nil)
    try await OtherWriter(container.modelContainer).write { context in
      for ticket in try context.tickets(200...209) { ticket.estimate = 5 }
    }
    #expect(queries.checkedCount == 20 && details[204].row?.estimate == 5)
    #expect(details.reduce(0) { $0 + $1.activity.refetches } < 5_010)
  }
}
