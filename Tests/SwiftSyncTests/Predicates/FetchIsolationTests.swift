import Foundation
import SwiftSync
import Synchronization
import Testing

/// Commits of another context in the middle of a fetch or an enumeration.
struct FetchIsolationTests {
  /// An object whose evaluation somebody can interrupt.
  @Model final class Account {
    #Index<Account>([\.branch])
    @Attribute(.unique) var id: Int
    var branch: Int
    var balance: Int

    init(id: Int) {
      self.id = id
      branch = id % 2
      balance = 10
    }

    @TaskLocal static var onJudging: (@Sendable () -> Void)?

    /// What the store cannot know.
    var isJudged: Bool {
      Account.onJudging?()
      return true
    }
  }

  private static let count = 40
  private let container: ModelContainer

  init() throws {
    container = try ModelContainer(for: Account.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    for id in 0..<Self.count { context.insert(Account(id: id)) }
    try context.save()
  }

  /// Empties all accounts, deletes some and opens others.
  private static func disturb(_ container: ModelContainer) throws {
    let other = ModelContext(container)
    for account in try other.fetch(FetchDescriptor<Account>()) {
      account.balance = 0
      if account.id % 5 == 0 { other.delete(account) }
    }
    for id in 100..<105 { other.insert(Account(id: id)) }
    try other.save()
  }

  /// Runs a closure in which all other contexts' commits happen while the first row is judged.
  private func disturbed<Result>(_ body: () throws -> Result) rethrows -> Result {
    let count = Mutex(0)
    let container = container
    return try Account.$onJudging.withValue(
      {
        guard
          count.withLock({
            $0 += 1; return $0
          }) == 1
        else { return }
        do { try Self.disturb(container) } catch { Issue.record(error) }
      }, operation: body)
  }

  static let orders: [[SortDescriptor<Account>]] = [
    [], [SortDescriptor(\.id, order: .reverse)], [SortDescriptor(\.balance), SortDescriptor(\.id)],
    [SortDescriptor(\.isJudged.description), SortDescriptor(\.id)],
  ]

  @Test(arguments: orders.indices)
  func aFetchSeesOneMoment(order: Int) throws {
    let predicate = #Predicate<Account> { $0.balance == 10 && $0.isJudged }
    let descriptor = FetchDescriptor(predicate: predicate, sortBy: Self.orders[order])
    let context = ModelContext(container)
    let found = try disturbed { try context.fetch(descriptor) }
    #expect(found.count == Self.count && found.allSatisfy { $0.balance == 10 })
    #expect(try context.fetch(descriptor).map(\.id).sorted() == Array(100..<105))
    #expect(found.count { $0.isDeleted } == Self.count / 5 && found.allSatisfy { $0.isDeleted || $0.balance == 0 })
  }

  @Test func aCountSeesOneMoment() throws {
    let descriptor = FetchDescriptor<Account>(predicate: #Predicate { $0.balance == 10 && $0.isJudged })
    let context = ModelContext(container)
    #expect(try disturbed { try context.fetchCount(descriptor) } == Self.count)
    #expect(try context.fetchCount(descriptor) == 5)
    #expect(try context.fetchIdentifiers(descriptor).count == 5)
  }

  /// Ways to go through the accounts: a scan, an index without its order, an index in its order, a sort.
  static let walks: [FetchDescriptor<Account>] = [
    FetchDescriptor(), FetchDescriptor(predicate: #Predicate { $0.branch == 1 }),
    FetchDescriptor(sortBy: [SortDescriptor(\.branch)]), FetchDescriptor(sortBy: [SortDescriptor(\.balance)]),
    FetchDescriptor(predicate: #Predicate { $0.isJudged }),
  ]

  /// Whatever others commit: who stays is visited once, who is deleted before its batch or made meanwhile not at all, and a
  /// batch shows one moment.
  @Test(arguments: walks.indices)
  func anEnumerationVisitsWhoStays(walk: Int) throws {
    let context = ModelContext(container)
    let expected = try ModelContext(container).fetch(Self.walks[walk]).map(\.id)
    let batchSize = 8
    var visited: [Int] = []
    var balances: [Int] = []
    try context.enumerate(Self.walks[walk], batchSize: batchSize) { account in
      visited.append(account.id)
      balances.append(account.balance)
      if visited.count == batchSize + 3 { try Self.disturb(container) }
    }
    let seen = 2 * batchSize
    #expect(visited == Array(expected.prefix(seen)) + expected.dropFirst(seen).filter { $0 % 5 != 0 })
    // Those of the second batch were made before the commit; the context has not read since.
    #expect(
      balances.prefix(seen).allSatisfy { $0 == 10 } && balances.dropFirst(seen).allSatisfy { $0 == 0 }
    )
  }

  @Test func aClosureThatSavesDoesNotDisturbItsEnumeration() throws {
    let context = ModelContext(container)
    var visited: [Int] = []
    try context.enumerate(FetchDescriptor<Account>(sortBy: [SortDescriptor(\.branch)]), batchSize: 3) { account in
      visited.append(account.id)
      // Further on in the index that is walked along.
      account.branch += 10
      context.insert(Account(id: 1000 + account.id))
      try context.save()
    }
    #expect(visited == (0..<Self.count).filter { $0 % 2 == 0 } + (0..<Self.count).filter { $0 % 2 == 1 })
    visited = []
    try context.enumerate(FetchDescriptor<Account>(predicate: #Predicate { $0.balance == 10 }), batchSize: 3) {
      account in
      visited.append(account.id)
      account.balance = 11
      context.insert(Account(id: 2000 + account.id))
      try context.save()
    }
    #expect(visited.count == 2 * Self.count && Set(visited).count == visited.count && visited.allSatisfy { $0 < 2000 })
  }

  /// A scan keeps nothing of the rows that it has not come to.
  @Test func aScanLooksNoFurtherThanItsBatch() throws {
    struct Enough: Error {}
    let context = ModelContext(container)
    let count = Mutex(0)
    let descriptor = FetchDescriptor<Account>(predicate: #Predicate { $0.isJudged })
    var visited = 0
    Account.$onJudging.withValue({ count.withLock { $0 += 1 } }) {
      #expect(throws: Enough.self) {
        try context.enumerate(descriptor, batchSize: 4) { _ in
          visited += 1
          if visited == 6 { throw Enough() }
        }
      }
    }
    #expect(count.withLock { $0 } == 8)
  }

  /// Unsaved objects come where their rows are, new ones at the end, with offset and limit counted over all of them.
  @Test(arguments: [(nil, nil), (3, 20), (0, 39), (38, nil), (50, 3), (5, 0)] as [(Int?, Int?)])
  func aScanHasUnsavedObjectsAmongItsRows(offset: Int?, limit: Int?) throws {
    let context = ModelContext(container)
    let all = try context.fetch(FetchDescriptor<Account>())
    for id in [0, 3, 7, 8, 9, 39] { all[id].branch += 2 }
    all[10].balance = 0
    context.delete(all[11])
    for id in 50..<53 { context.insert(Account(id: id)) }
    var descriptor = FetchDescriptor<Account>(predicate: #Predicate { $0.balance == 10 })
    descriptor.fetchOffset = offset
    descriptor.fetchLimit = limit
    let ids = Array(0..<10) + Array(12..<40) + Array(50..<53)
    for batchSize in [1, 4, 5, 1000] {
      var visited: [Int] = []
      try context.enumerate(descriptor, batchSize: batchSize) { visited.append($0.id) }
      #expect(visited == Array(ids.dropFirst(offset ?? 0).prefix(limit ?? .max)), "\(batchSize)")
      #expect(try context.fetch(descriptor).map(\.id) == visited)
    }
  }
}
