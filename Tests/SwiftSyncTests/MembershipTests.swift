import Foundation
import Records
import TestSupport
import Testing

@testable import SwiftSync

@Suite("To-many relationships: what assignments change, and how changes of two contexts meet")
struct MembershipTests {
  @Test("The difference of two lists: every list of up to four of four objects, with repetitions, against two others")
  func differences() {
    let notes = (0..<4).map { LooseNote(id: $0, text: "") }
    for old in [[0, 1, 2], []] {
      for new in Self.lists(of: 4, upTo: 4) {
        let difference = MemberDifference(from: old.map { notes[$0] }, to: new.map { notes[$0] })
        var seen: Set<Int> = []
        let distinct = new.filter { seen.insert($0).inserted }
        let added = distinct.filter { !old.contains($0) }
        let isReordered = old.filter { new.contains($0) } + added != distinct
        let isRight =
          difference.members.map(\.id) == distinct && difference.added.map(\.id) == added
          && difference.removed.map(\.id) == old.filter { !new.contains($0) } && difference.isReordered == isReordered
        if !isRight { Issue.record("\(old) to \(new): \(difference)") }
      }
    }
  }

  /// All lists of some numbers, with repetitions.
  private static func lists(of count: Int, upTo length: Int) -> [[Int]] {
    var result: [[Int]] = [[]]
    var last: [[Int]] = [[]]
    for _ in 0..<length {
      last = last.flatMap { list in (0..<count).map { list + [$0] } }
      result += last
    }
    return result
  }

  /// Two contexts with a project of three tickets, and two tickets of none.
  private struct Pair {
    let container: ModelContainer
    let contexts: [ModelContext]
    let projects: [Project]
    let tickets: [[Ticket]]

    init() throws {
      container = try trackerContainer()
      let writer = ModelContext(container)
      let tickets = (0..<5).map { Ticket(id: $0, title: "t") }
      let project = Project(id: 1, name: "p", tickets: Array(tickets[..<3]))
      tickets.forEach(writer.insert)
      writer.insert(project)
      try writer.save()
      contexts = [ModelContext(container), ModelContext(container)]
      projects = try contexts.compactMap { try $0.fetch(FetchDescriptor<Project>()).first }
      self.tickets = try contexts.map { try $0.fetch(FetchDescriptor<Ticket>(sortBy: [SortDescriptor(\.id)])) }
    }

    func saveBoth() throws -> [Int] {
      for context in contexts { try context.save() }
      let violations = try container.core.store.read { try $0.checkInvariants() }
      #expect(violations.isEmpty)
      let stored = try ModelContext(container).fetch(FetchDescriptor<Project>()).first?.tickets.map(\.id) ?? []
      for context in contexts { context.processPendingChanges() }
      for project in projects { #expect(project.tickets.map(\.id) == stored) }
      return stored
    }
  }

  @Test("Both contexts add: nobody's member is lost")
  func bothAdd() throws {
    let pair = try Pair()
    pair.projects[0].tickets.append(pair.tickets[0][3])
    pair.projects[1].tickets.append(pair.tickets[1][4])
    #expect(try pair.saveBoth() == [0, 1, 2, 3, 4])
  }

  @Test("One removes what the other keeps in its list, and one adds at the front")
  func removeAndReorder() throws {
    let pair = try Pair()
    pair.projects[0].tickets.removeAll { $0.id == 1 }
    pair.projects[1].tickets = [pair.tickets[1][4], pair.tickets[1][2], pair.tickets[1][1], pair.tickets[1][0]]
    #expect(try pair.saveBoth() == [4, 2, 0])
  }

  @Test("A member that another context has moved away stays there when the list is appended to")
  func movedAway() throws {
    let pair = try Pair()
    let other = Project(id: 2, name: "q")
    pair.contexts[0].insert(other)
    pair.tickets[0][0].project = other
    pair.projects[1].tickets.append(pair.tickets[1][3])
    #expect(try pair.saveBoth() == [1, 2, 3])
    #expect(other.tickets.map(\.id) == [0])
  }

  @Test("A member that is taken out and put back stands where it was put, stored too")
  func putBack() throws {
    let pair = try Pair()
    let (project, ticket) = (pair.projects[0], pair.tickets[0][0])
    project.tickets.removeFirst()
    #expect(ticket.project == nil)
    project.tickets.append(ticket)
    #expect(ticket.project === project && project.tickets.map(\.id) == [1, 2, 0])
    #expect(try pair.saveBoth() == [1, 2, 0])
  }

  @Test("Changes from the other direction show in an assigned list at once")
  func otherDirection() throws {
    let pair = try Pair()
    let (project, tickets) = (pair.projects[0], pair.tickets[0])
    project.tickets = [tickets[2], tickets[1], tickets[0]]
    tickets[4].project = project
    tickets[1].project = nil
    #expect(project.tickets.map(\.id) == [2, 0, 4])
    tickets[1].project = project
    #expect(project.tickets.map(\.id) == [2, 0, 4, 1])
    #expect(Set(try pair.saveBoth()) == [0, 1, 2, 4])
  }

  @Test("A list that was read and not changed shows what others have committed, after the context has taken it in")
  func readList() throws {
    let pair = try Pair()
    #expect(pair.projects[1].tickets.count == 3)
    pair.tickets[0][3].project = pair.projects[0]
    try pair.contexts[0].save()
    pair.contexts[1].processPendingChanges()
    #expect(pair.projects[1].tickets.map(\.id) == [0, 1, 2, 3])
    pair.contexts[1].delete(pair.tickets[1][0])
    #expect(pair.projects[1].tickets.map(\.id) == [1, 2, 3])
    pair.contexts[1].rollback()
    #expect(pair.projects[1].tickets.map(\.id) == [0, 1, 2, 3])
  }

  @Test(
    "Members of which some are new, some were edited before and some are stored are stored in the order of the list")
  func mixedOrder() throws {
    let pair = try Pair()
    let (project, tickets) = (pair.projects[0], pair.tickets[0])
    tickets[4].title = "edited before"
    project.tickets += [Ticket(id: 7, title: "new"), tickets[3], tickets[4], Ticket(id: 6, title: "new")]
    #expect(project.tickets.map(\.id) == [0, 1, 2, 7, 3, 4, 6])
    #expect(try pair.saveBoth() == [0, 1, 2, 7, 3, 4, 6])
  }

  @Test("A list is known after the save that wrote it, unless somebody else has changed it")
  func knownAfterSave() throws {
    let pair = try Pair()
    let (context, project, tickets) = (pair.contexts[0], pair.projects[0], pair.tickets[0])
    project.tickets = [tickets[3], tickets[1]]
    try context.save()
    #expect(context.readMembers?.list.count == 2)
    #expect(project.tickets.map(\.id) == [3, 1])
    tickets[0].title = "another edit"
    try context.save()
    #expect(context.readMembers != nil)

    pair.tickets[1][2].project = pair.projects[1]
    try pair.contexts[1].save()
    project.tickets.append(tickets[4])
    try context.save()
    #expect(context.readMembers == nil)
    #expect(project.tickets.map(\.id) == [3, 1, 2, 4])

    project.tickets.removeLast()
    pair.tickets[1][0].project = pair.projects[1]
    try pair.contexts[1].save()
    context.processPendingChanges()
    #expect(project.tickets.map(\.id) == [3, 1, 2])
    try context.save()
    #expect(project.tickets.map(\.id) == [3, 1, 2, 0])

    context.delete(tickets[1])
    project.tickets.append(tickets[4])
    try context.save()
    #expect(project.tickets.map(\.id) == [3, 2, 0, 4])
    #expect(try pair.saveBoth() == [3, 2, 0, 4])
  }

  @Test("The to-one side adds and removes a member without reading the others")
  func toOneSide() throws {
    let pair = try Pair()
    let context = ModelContext(pair.container)
    let project = try #require(try context.fetch(FetchDescriptor<Project>()).first)
    let member = try #require(try context.fetch(FetchDescriptor<Ticket>(predicate: #Predicate { $0.id == 2 })).first)
    let ticket = try #require(try context.fetch(FetchDescriptor<Ticket>(predicate: #Predicate { $0.id == 3 })).first)
    let new = Ticket(id: 9, title: "new")
    for _ in 0..<2 {
      ticket.project = project
      new.project = project
      member.project = nil
      try context.save()
      ticket.project = nil
      member.project = project
      try context.save()
    }
    #expect(context.readMembers == nil && context.graph.registered.countMax == 4)
    #expect(project.tickets.map(\.id) == [0, 1, 9, 2])
    #expect(context.graph.registered.countMax == 6)
  }

  @Test("Thousands of members: every way of adding and removing one, and all")
  func large() throws {
    let container = try trackerContainer()
    let context = ModelContext(container)
    let project = Project(id: 1, name: "p")
    context.insert(project)
    let tickets = (0..<5_000).map { Ticket(id: $0, title: "t") }
    for ticket in tickets { ticket.project = project }
    #expect(project.tickets.count == 5_000)
    try context.save()
    project.tickets.append(Ticket(id: 5_000, title: "t"))
    tickets[7].project = nil
    project.tickets.removeAll { $0.id == 8 }
    tickets[7].project = project
    project.tickets.insert(tickets[8], at: 0)
    #expect(project.tickets.first?.id == 8 && project.tickets.count == 5_001)
    try context.save()
    let stored = try ModelContext(container).fetch(FetchDescriptor<Project>()).first?.tickets.map(\.id) ?? []
    #expect(stored.first == 8 && Set(stored) == Set(0...5_000) && stored.count == 5_001)
    project.tickets.removeAll()
    #expect(tickets[9].project == nil)
    try context.save()
    #expect(project.tickets.isEmpty)
    #expect(try container.core.store.read { try $0.checkInvariants() }.isEmpty)
  }
}
