import Foundation
import SwiftSync
import TestSupport
import Testing

@Suite("2.2-26 History: one transaction for each save, with what it did")
struct HistoryFetchTests {
  private let container: ModelContainer
  private let context: ModelContext

  init() throws {
    container = try memoContainer()
    context = ModelContext(container)
  }

  private func fetch(
    _ predicate: Predicate<DefaultHistoryTransaction>? = nil
  ) throws -> [DefaultHistoryTransaction] {
    try context.fetchHistory(HistoryDescriptor(predicate: predicate))
  }

  private func save(_ id: String, author: String? = nil) throws {
    context.author = author
    context.insert(Memo(id: id))
    try context.save()
  }

  @Test("a save is a transaction with the context's author, and changes by class")
  func changesOfASave() throws {
    let before = Date()
    let first = Memo(id: "a")
    context.insert(first)
    context.insert(Folder(name: "f"))
    context.author = "widget"
    try context.save()
    first.text = "new"
    first.related = [Memo(id: "b")]
    context.author = nil
    try context.save()
    context.delete(first)
    try context.save()
    try context.save()

    let history = try fetch()
    #expect(history.map(\.author) == ["widget", nil, nil])
    #expect(history.map(\.transactionIdentifier) == [1, 2, 3])
    #expect(history.allSatisfy { $0.timestamp >= before && $0.timestamp <= Date() })
    #expect(history.allSatisfy { $0.processIdentifier == ProcessInfo.processInfo.processName })
    #expect(Set(history.map(\.storeIdentifier)) == [try #require(first.persistentModelID.storeIdentifier)])

    let inserts = history[0].changes.compactMap { change -> PersistentIdentifier? in
      guard case .insert(let insert) = change, insert is DefaultHistoryInsert<Memo> else { return nil }
      return insert.changedPersistentIdentifier
    }
    #expect(inserts == [first.persistentModelID])
    #expect(history[0].changes.map(\.changedPersistentIdentifier.entityName).sorted() == ["Folder", "Memo"])

    guard case .update(let update as DefaultHistoryUpdate<Memo>) = history[1].changes.last else {
      Issue.record("\(history[1].changes)")
      return
    }
    #expect(update.changedPersistentIdentifier == first.persistentModelID)
    #expect(update.updatedAttributes == [\Memo.text, \Memo.related])
    #expect(update.transactionIdentifier == 2 && update.changeIdentifier == 1)
    guard case .insert(let insert as DefaultHistoryInsert<Memo>) = history[1].changes.first else {
      Issue.record("\(history[1].changes)")
      return
    }
    #expect(insert.changeIdentifier == 0)
  }

  @Test("2.2-35 an equal value that is assigned is an update without attributes that differ")
  func equalValue() throws {
    try save("a")
    let memo = try #require(try context.fetch(FetchDescriptor<Memo>()).first)
    memo.text = memo.text
    try context.save()
    guard case .update(let update as DefaultHistoryUpdate<Memo>) = try fetch().last?.changes.first else {
      Issue.record("no update")
      return
    }
    #expect(update.updatedAttributes.isEmpty)
  }

  @Test("7.1: a sync is a transaction of the inbound author")
  @MainActor func syncs() async throws {
    let container = try SyncContainer(for: Project.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    try await container.sync(payload: [["id": 1, "name": "a"]], as: Project.self)
    let history = try container.mainContext.fetchHistory()
    #expect(history.map(\.author) == ["com.github.3lvis.SwiftSync.inbound"])
    #expect(history.first?.changes.count == 1)
  }

  @Test("a deleted object's tombstone has the preserved values in their own types")
  func tombstones() throws {
    let memo = Memo(id: "a", text: "lost")
    memo.place = MemoPlace(latitude: 47.5, name: nil)
    memo.price = Decimal(string: "12.50")
    context.insert(memo)
    try context.save()
    context.delete(memo)
    try context.save()
    guard case .delete(let delete as DefaultHistoryDelete<Memo>) = try fetch().last?.changes.first else {
      Issue.record("no delete")
      return
    }
    let tombstone = delete.tombstone
    #expect(tombstone[\.id] as? String == "a")
    #expect(tombstone[\.kind] as? MemoKind == .starred)
    #expect(tombstone[\.formerKind] == nil)
    #expect(tombstone[\.place] as? MemoPlace == MemoPlace(latitude: 47.5, name: nil))
    #expect(tombstone[\.tags] as? [String] == ["a", "b"])
    #expect(tombstone[\.price] as? Decimal == Decimal(string: "12.5"))
    #expect(tombstone.value(of: \.rank) == -3)
    #expect(tombstone.value(of: \.id) == "a")
    #expect(tombstone[\.text] == nil)
    #expect(tombstone.preservedAttributes.contains(\.rank) && !tombstone.preservedAttributes.contains(\.text))
  }

  @Test("predicates on author, token and timestamp, in the forms that programs use")
  func predicates() throws {
    try save("a")
    try save("b", author: "server")
    try save("c", author: "widget")
    try save("d", author: "server")
    try save("e")
    let all = try fetch()
    let token = all[1].token
    let server = "server"
    let time = all[2].timestamp
    let cases: [(Predicate<DefaultHistoryTransaction>, [Int64])] = [
      (#Predicate { $0.token > token && ($0.author == nil || $0.author != server) }, [3, 5]),
      (#Predicate { $0.author == nil || $0.author != server }, [1, 3, 5]),
      (#Predicate { $0.author == server }, [2, 4]),
      (#Predicate { $0.author == nil }, [1, 5]),
      (#Predicate { $0.token > token }, [3, 4, 5]),
      (#Predicate { $0.token >= token }, [2, 3, 4, 5]),
      (#Predicate { token < $0.token }, [3, 4, 5]),
      (#Predicate { token <= $0.token }, [2, 3, 4, 5]),
      (#Predicate { $0.token < token }, [1]),
      (#Predicate { $0.token <= token }, [1, 2]),
      (#Predicate { token > $0.token }, [1]),
      (#Predicate { token >= $0.token }, [1, 2]),
      (#Predicate { $0.token == token }, [2]),
      (#Predicate { token == $0.token }, [2]),
      (#Predicate { $0.token != token }, [1, 3, 4, 5]),
      (#Predicate { !($0.token > token) }, [1, 2]),
      (#Predicate { $0.token > token || $0.author == nil }, [1, 3, 4, 5]),
      (#Predicate { $0.token > token && $0.token <= token }, []),
      (#Predicate { $0.timestamp >= time && $0.token > token }, [3, 4, 5]),
      (#Predicate { $0.transactionIdentifier == 4 }, [4]),
    ]
    for (number, (predicate, expected)) in cases.enumerated() {
      #expect(try fetch(predicate).map(\.transactionIdentifier) == expected, "case \(number)")
      #expect(try all.filter(predicate.evaluate).map(\.transactionIdentifier) == expected, "case \(number)")
    }
  }

  @Test("order and limit")
  func orderAndLimit() throws {
    for id in ["a", "b", "c"] { try save(id) }
    var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
    descriptor.fetchLimit = 2
    #expect(try context.fetchHistory(descriptor).map(\.transactionIdentifier) == [1, 2])
    descriptor.sortBy = [SortDescriptor(\.transactionIdentifier, order: .reverse)]
    #expect(try context.fetchHistory(descriptor).map(\.transactionIdentifier) == [3, 2])
    descriptor.fetchLimit = 0
    #expect(try context.fetchHistory(descriptor).map(\.transactionIdentifier) == [3, 2, 1])
  }

  @Test("the rows of one context are those of every other one")
  func otherContexts() throws {
    try save("a")
    let other = ModelContext(container)
    let identifier = try #require(try other.fetchHistory().first?.changes.first?.changedPersistentIdentifier)
    #expect((other.model(for: identifier) as? Memo)?.id == "a")
  }
}
