import Contexts
import Records
import TestSupport
import Testing

@testable import SwiftSync

@Suite("What a context has not taken in yet")
struct MailboxTests {
  private let container: ModelContainer
  private var store: RecordStore { container.core.store }

  init() throws {
    container = try trackerContainer()
  }

  private func take(_ mailbox: ChangeMailbox) throws -> String {
    try store.read { try describe(mailbox.take(shownBy: $0)) }
  }

  private func describe(_ content: ChangeMailbox.Content) -> String {
    switch content {
    case .nothing: "nothing"
    case .changes(let changes): "\(changes.count)"
    case .everything: "everything"
    }
  }

  /// A change set that snapshots do not show yet, which begin before so many more commits.
  private func changes(rows: Int = 1, ahead: Int = 0) throws -> ChangeSet {
    var changes = ChangeSet(rows: rows)
    changes.stateNumber = try store.read(\.number) + ahead
    return changes
  }

  private func commit() throws {
    let context = ModelContext(container)
    context.insert(LooseNote(id: 1, text: ""))
    try context.save()
  }

  @Test("The context is woken once for what lies there")
  func waking() throws {
    let told = Told()
    let mailbox = ChangeMailbox { told.note("wake") }
    mailbox.post(ChangeSet())
    #expect(told.names.isEmpty && mailbox.isEmpty)
    for _ in 0..<3 { mailbox.post(try changes(rows: 10)) }
    #expect(told.names.count == 1)
    #expect(try take(mailbox) == "3")
    #expect(try take(mailbox) == "nothing")
    mailbox.post(try changes())
    #expect(told.names.count == 2)
  }

  @Test("What a snapshot does not show yet stays for a later one, and wakes the context again")
  func newerThanTheSnapshot() throws {
    let told = Told()
    let mailbox = ChangeMailbox { told.note("wake") }
    mailbox.post(try changes())
    mailbox.post(try changes(ahead: 1))
    mailbox.post(try changes(ahead: 2))
    #expect(try take(mailbox) == "1")
    #expect(told.names.count == 2)
    #expect(try take(mailbox) == "nothing")
    try commit()
    #expect(try take(mailbox) == "1")
    try commit()
    #expect(try take(mailbox) == "1" && mailbox.isEmpty)
  }

  @Test("More than is kept: everything is looked at, in the first snapshot and in one that shows all of it")
  func loss() throws {
    let mailbox = ChangeMailbox()
    for _ in 0..<3 { mailbox.post(try changes(rows: 40_000)) }
    #expect(try take(mailbox) == "everything")
    #expect(try take(mailbox) == "nothing")
    for _ in 0...ChangeMailbox.commitCountMax { mailbox.post(try changes(ahead: 1)) }
    #expect(try take(mailbox) == "everything")
    mailbox.post(try changes())
    #expect(try take(mailbox) == "everything")
    try commit()
    #expect(try take(mailbox) == "everything")
    #expect(try take(mailbox) == "nothing")
  }

  @Test("Commits of which nothing is known")
  func unknown() throws {
    let mailbox = ChangeMailbox()
    mailbox.post(try changes())
    mailbox.postUnknown(stateNumber: nil)
    #expect(try take(mailbox) == "everything")
    mailbox.postUnknown(stateNumber: try store.read(\.number) + 1)
    #expect(try take(mailbox) == "everything" && !mailbox.isEmpty)
    try commit()
    #expect(try take(mailbox) == "everything" && mailbox.isEmpty)
  }

  @Test("After a look without a snapshot the next commit wakes the context again")
  func missedLook() throws {
    let told = Told()
    let mailbox = ChangeMailbox { told.note("wake") }
    mailbox.post(try changes())
    mailbox.noteMissedLook()
    mailbox.post(try changes())
    #expect(told.names.count == 2)
    #expect(try take(mailbox) == "2")
  }
}

extension ChangeSet {
  /// Changes of some rows of one entity.
  init(rows: Int) {
    self.init()
    var changes = EntityChanges()
    changes.deleted = (1...UInt64(rows)).map { RowNumber(rawValue: $0 + 1_000_000) }
    entities[EntityID(rawValue: 1)] = changes
  }
}
