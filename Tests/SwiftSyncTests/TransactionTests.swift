import Foundation
import Records
import SwiftSync
import Testing

private struct Refused: Error {}

@Suite("A transaction saves what its closure edits, or undoes it")
struct TransactionTests {
  private let context: ModelContext
  private let project: Project
  private let ticket: Ticket

  init() throws {
    context = ModelContext(try trackerContainer())
    project = Project(id: 1, name: "stored")
    ticket = Ticket(id: 1, title: "stored", project: project)
    context.insert(ticket)
    try context.save()
  }

  private func stored() throws -> [String] {
    try ModelContext(context.container).fetch(FetchDescriptor<Project>(sortBy: [SortDescriptor(\.id)])).map(\.name)
  }

  @Test("What the closure edits is saved when it returns, with what was unsaved before")
  func commits() throws {
    ticket.title = "before"
    try context.transaction {
      project.name = "in it"
      context.insert(Project(id: 2, name: "new"))
      let names = try stored()
      #expect(names == ["stored"])
    }
    #expect(!context.hasChanges)
    #expect(try stored() == ["in it", "new"])
    #expect(try ModelContext(context.container).fetch(FetchDescriptor<Ticket>()).map(\.title) == ["before"])
  }

  @Test("When the closure throws, its edits are undone, and what was unsaved before stays unsaved")
  func undoes() throws {
    let draft = Project(id: 7, name: "draft")
    context.insert(draft)
    let doomed = Project(id: 8, name: "doomed draft")
    context.insert(doomed)
    ticket.title = "before"
    let new = Project(id: 9, name: "new")
    #expect(throws: Refused.self) {
      try context.transaction {
        ticket.title = "in it"
        ticket.project = draft
        project.name = "in it"
        draft.name = "in it"
        context.delete(project)
        context.delete(doomed)
        context.insert(new)
        new.tickets = [ticket]
        throw Refused()
      }
    }
    #expect(ticket.title == "before" && ticket.project === project && project.name == "stored" && !project.isDeleted)
    #expect(draft.name == "draft" && draft.tickets.isEmpty && project.tickets.map(\.id) == [1])
    #expect(new.modelContext == nil && !doomed.isDeleted)
    #expect(Set(context.insertedModelsArray.map(\.persistentModelID)) == [draft, doomed].identifiers)
    #expect(context.changedModelsArray.map(\.persistentModelID) == [ticket.persistentModelID])
    try context.save()
    #expect(try stored() == ["stored", "draft", "doomed draft"])
  }

  @Test("A save that fails at its end undoes the edits too")
  func failingSave() throws {
    context.insert(Project(id: 2, name: "other"))
    try context.save()
    #expect(throws: RecordError.self) {
      try context.transaction { project.id = 2 }
    }
    #expect(project.id == 1 && !context.hasChanges)
  }

  @Test("Transactions nest: an inner one undoes its own edits, the outer one saves")
  func nested() throws {
    try context.transaction {
      project.name = "outer"
      #expect(throws: Refused.self) {
        try context.transaction {
          project.name = "inner"
          throw Refused()
        }
      }
      try context.transaction { ticket.title = "inner" }
      #expect(project.name == "outer" && context.hasChanges)
      #expect(try stored() == ["stored"])
    }
    #expect(try stored() == ["outer"] && ticket.title == "inner")
  }

  @Test("What the closure saves itself is saved")
  func saveInside() throws {
    #expect(throws: Refused.self) {
      try context.transaction {
        project.name = "saved"
        try context.save()
        project.name = "unsaved"
        throw Refused()
      }
    }
    #expect(project.name == "saved" && !context.hasChanges)
    #expect(try stored() == ["saved"])
  }

  @Test("What was to be thrown before the closure is thrown when it has thrown; what its undone edits made is not")
  func pendingFailure() throws {
    let gone = Project(id: 2, name: "gone")
    context.insert(gone)
    try context.save()
    context.delete(gone)
    try context.save()
    func transaction(_ body: () throws -> Void = {}) {
      #expect(throws: Refused.self) {
        try context.transaction {
          try body()
          throw Refused()
        }
      }
    }

    gone.name = "lost"
    transaction { project.name = "undone" }
    #expect(throws: ModelError.self) { try context.save() }
    try context.save()

    gone.name = "lost"
    transaction { transaction { gone.name = "lost again" } }
    #expect(throws: ModelError.self) { try context.fetch(FetchDescriptor<Project>()) }
    try context.save()

    transaction { gone.name = "undone" }
    try context.save()

    gone.name = "lost"
    transaction { #expect(throws: ModelError.self) { try context.fetch(FetchDescriptor<Project>()) } }
    try context.save()
    #expect(try stored() == ["stored"])
  }

  @Test("What another context deletes meanwhile stays deleted when the closure throws")
  func deletedMeanwhile() throws {
    ticket.title = "before"
    #expect(throws: Refused.self) {
      try context.transaction {
        let other = ModelContext(context.container)
        for ticket in try other.fetch(FetchDescriptor<Ticket>()) { other.delete(ticket) }
        try other.save()
        throw Refused()
      }
    }
    #expect(ticket.isDeleted && !context.hasChanges)
  }
}

extension [Project] {
  fileprivate var identifiers: Set<PersistentIdentifier> { Set(map(\.persistentModelID)) }
}
