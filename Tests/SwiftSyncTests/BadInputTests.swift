import Foundation
import KeyValueStore
import Records
import TestSupport
import Testing

@testable import SwiftSync

@Model private final class Account {
  @Attribute(.unique) var id: Int
  @Attribute(.unique) var email: String?
  var note: String
  @Relationship(deleteRule: .deny, inverse: \Order.account) var orders: [Order]

  init(id: Int, email: String? = nil) {
    self.id = id
    self.email = email
    note = ""
    orders = []
  }
}

@Model private final class Order {
  var number: Int
  var account: Account?

  init(number: Int, account: Account? = nil) {
    self.number = number
    self.account = account
  }
}

/// Not part of any container here.
@Model private final class Stranger {
  var name: String

  init(name: String) {
    self.name = name
  }
}

@Suite("What a context refuses is a typed error that names it, and nothing is lost")
struct BadInputTests {
  private let container: ModelContainer
  private let context: ModelContext
  private let account = Account(id: 1, email: "a@x")

  init() throws {
    container = try Self.makeContainer()
    context = ModelContext(container)
    context.insert(account)
    try context.save()
  }

  private static func makeContainer() throws -> ModelContainer {
    try ModelContainer(for: Account.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
  }

  private func emails(in container: ModelContainer) throws -> [String?] {
    try ModelContext(container).fetch(FetchDescriptor<Account>(sortBy: [SortDescriptor(\.id)])).map(\.email)
  }

  // MARK: Unique values

  @Test("Another unique value than the identity never makes two rows one", arguments: ["new", "edited", "both new"])
  func uniqueConflict(kind: String) throws {
    let other = Account(id: 2, email: kind == "new" ? "a@x" : "b@x")
    context.insert(other)
    if kind == "edited" {
      try context.save()
      other.email = "a@x"
    } else if kind == "both new" {
      context.insert(Account(id: 3, email: "b@x"))
    }
    #expect {
      try context.save()
    } throws: { error in
      guard case RecordError.uniqueConflict("Account", ["email"], _, let row, let otherRow) = error else {
        return false
      }
      return row != otherRow
    }
    #expect(context.hasChanges && account.email == "a@x" && other.id == 2)
    #expect(try emails(in: container) == (kind == "edited" ? ["a@x", "b@x"] : ["a@x"]))
    other.email = "c@x"
    try context.save()
    #expect(try emails(in: container) == (kind == "both new" ? ["a@x", "c@x", "b@x"] : ["a@x", "c@x"]))
  }

  @Test("Of two contexts that insert the same value, the second is told; the same identity is one row")
  func acrossContexts() throws {
    let other = ModelContext(container)
    context.insert(Account(id: 2, email: "b@x"))
    let late = Account(id: 3, email: "b@x")
    other.insert(late)
    try context.save()
    #expect(throws: RecordError.self) { try other.save() }
    late.id = 2
    try other.save()
    #expect(try emails(in: container) == ["a@x", "b@x"])
  }

  // MARK: Objects that are not the context's

  @Test(
    "An object of another container is refused until the edit is undone",
    arguments: ["related", "appended", "inserted", "deleted"])
  func foreignObject(kind: String) throws {
    let elsewhere = ModelContext(try Self.makeContainer())
    let order = Order(number: 1)
    let foreign = Account(id: 9)
    let foreignOrder = Order(number: 2, account: foreign)
    elsewhere.insert(foreign)
    context.insert(order)
    try elsewhere.save()
    switch kind {
    case "related": order.account = foreign
    case "appended": account.orders.append(foreignOrder)
    case "inserted": context.insert(foreign)
    default: context.delete(foreign)
    }
    for _ in 0..<2 {
      #expect {
        try context.save()
      } throws: { error in
        guard case ModelError.foreignObject(let entity, let identifier) = error else { return false }
        return identifier == "\(entity)/1"
      }
    }
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Order>()) == 0)
    context.rollback()
    context.insert(Order(number: 3, account: account))
    try context.save()
    #expect(try ModelContext(container).fetch(FetchDescriptor<Order>()).map(\.number) == [3])
    #expect(!foreign.isDeleted && foreignOrder.account === foreign)
  }

  @Test("A class that the container does not have")
  func unknownModel() throws {
    context.insert(Stranger(name: "s"))
    account.note = "kept"
    #expect(throws: ModelError.unknownModel("Stranger")) { try context.save() }
    #expect(throws: ModelError.unknownModel("Stranger")) { try context.fetch(FetchDescriptor<Stranger>()) }
    #expect(account.note == "kept" && context.hasChanges)
    context.rollback()
    try context.save()
  }

  // MARK: Deleted objects

  @Test("Using an object after it was deleted is thrown once, by name", arguments: ["edited", "led to", "appended"])
  func useAfterDelete(kind: String) throws {
    let gone = Order(number: 1)
    let goneAccount = Account(id: 2)
    let order = Order(number: 2, account: account)
    for model in [gone, order] { context.insert(model) }
    context.insert(goneAccount)
    try context.save()
    context.delete(gone)
    context.delete(goneAccount)
    try context.save()
    switch kind {
    case "edited": gone.number = 7
    case "led to": order.account = goneAccount
    default: account.orders.append(gone)
    }
    account.note = "kept"
    #expect {
      try context.save()
    } throws: { error in
      guard case ModelError.deletedObject(let entity, let identifier) = error else { return false }
      return identifier == (kind == "led to" ? goneAccount.persistentModelID : gone.persistentModelID).description
        && identifier.hasPrefix(entity)
    }
    try context.save()
    let stored = try ModelContext(container).fetch(FetchDescriptor<Account>())
    #expect(stored.map(\.note) == ["kept"])
    #expect(try ModelContext(container).fetch(FetchDescriptor<Order>()).map(\.number) == [2])
  }

  @Test("A deny rule names the rows that stand in the way; when they are gone too, the deletion goes through")
  func deny() throws {
    let orders = (1...3).map { Order(number: $0, account: account) }
    orders.forEach(context.insert)
    try context.save()
    context.delete(account)
    context.delete(orders[0])
    let rows = orders[1...].compactMap { $0._$backing.storedRow }
    #expect(
      throws: RecordError.deleteDenied(
        entity: "Account", row: try #require(account._$backing.storedRow), relationship: "Account.orders",
        blockers: rows)
    ) { try context.save() }
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Order>()) == 3)
    #expect(account.isDeleted)
    orders[1...].forEach(context.delete)
    try context.save()
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Account>()) == 0)
  }

  // MARK: The medium

  @Test(
    "A save on a full disk throws, keeps the edits and can be tried again",
    .enabled(if: SmallDisk.isPossible, "needs the right to mount a file system"))
  func fullDisk() async throws {
    let folder = try TemporaryFolder()
    try await OtherThread.run {
      try #require(SmallDisk.mount(at: folder.path, byteCount: 6 << 20))
      let url = URL(fileURLWithPath: folder.path + "/store")
      let container = try ModelContainer(for: Account.self, configurations: ModelConfiguration(url: url))
      let context = ModelContext(container)
      let account = Account(id: 1, email: "a@x")
      context.insert(account)
      try context.save()
      account.note = String(repeating: "x", count: 8 << 20)
      account.email = "b@x"
      for _ in 0..<2 {
        #expect {
          try context.save()
        } throws: { error in
          if case StoreError.diskFull = error { true } else { false }
        }
      }
      #expect(context.hasChanges && account.email == "b@x" && account.note.utf8.count == 8 << 20)
      #expect(try ModelContext(container).fetch(FetchDescriptor<Account>()).map(\.email) == ["a@x"])
      account.note = "short"
      try context.save()
      container.close()
      let again = try ModelContainer(for: Account.self, configurations: ModelConfiguration(url: url))
      #expect(try ModelContext(again).fetch(FetchDescriptor<Account>()).map(\.email) == ["b@x"])
      again.close()
    }
  }
}
