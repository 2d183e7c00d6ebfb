import Foundation
import SwiftSync
import TestSupport
import Testing

@Suite("History tokens: bookmarks that can be kept, and errors where they cannot be used")
struct HistoryTokenTests {
  private let container: ModelContainer
  private let context: ModelContext

  init() throws {
    container = try memoContainer()
    context = ModelContext(container)
    for number in 1...4 {
      context.insert(Memo(id: "\(number)"))
      context.author = number % 2 == 0 ? "server" : nil
      try context.save()
    }
  }

  private func numbers(after token: DefaultHistoryToken) throws -> [Int64] {
    let descriptor = HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > token })
    return try context.fetchHistory(descriptor).map(\.transactionIdentifier)
  }

  private func tokens() throws -> [DefaultHistoryToken] { try context.fetchHistory().map(\.token) }

  @Test("a token is ordered, hashable and survives JSON")
  func values() throws {
    let tokens = try tokens()
    #expect(tokens == tokens.sorted() && Set(tokens).count == 4 && tokens[0] < tokens[1])
    let json = try JSONEncoder().encode(tokens)
    #expect(try JSONDecoder().decode([DefaultHistoryToken].self, from: json) == tokens)
    #expect(tokens[2].tokenValue?.values.map { $0 } == [3])
    #expect(try container.lastHistoryToken() == tokens[3])
  }

  @Test("a token may have any number", arguments: [Int64.min, -1, 0, .max])
  func extremes(number: Int64) throws {
    let store = try #require(try container.lastHistoryToken().tokenValue?.keys.first)
    let json = Data(#"{"store": "\#(store)", "token": \#(number)}"#.utf8)
    let token = try JSONDecoder().decode(DefaultHistoryToken.self, from: json)
    let below = HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token < token })
    #expect(try context.fetchHistory(below).count == (number > 0 ? 4 : 0))
    let equal = HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token == token })
    let from = HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token >= token })
    if number < .max {
      #expect(try context.fetchHistory(equal).isEmpty)
      #expect(try context.fetchHistory(from).count == 4)
    } else {
      #expect(throws: HistoryError.self) { try context.fetchHistory(from) }
    }
  }

  @Test("history goes on behind a token whose transaction was deleted")
  func deletionByAuthor() throws {
    let tokens = try tokens()
    let server = "server"
    let isInbound = #Predicate<DefaultHistoryTransaction> { $0.author == server }
    #expect(try context.deleteHistory(HistoryDescriptor(predicate: isInbound)) == 2)
    #expect(try context.fetchHistory().map(\.transactionIdentifier) == [1, 3])
    #expect(try numbers(after: tokens[0]) == [3])
    #expect(try numbers(after: tokens[1]) == [3])
    #expect(try numbers(after: tokens[3]) == [])
    context.insert(Memo(id: "5"))
    try context.save()
    #expect(try numbers(after: tokens[3]) == [5])
  }

  @Test("a deleted beginning expires the tokens before it")
  func expired() throws {
    let tokens = try tokens()
    let last = tokens[2]
    try context.deleteHistory(HistoryDescriptor(predicate: #Predicate { $0.token <= last }))
    #expect(throws: HistoryError.tokenExpired(tokens[1], oldest: last)) { try numbers(after: tokens[1]) }
    #expect(try numbers(after: last) == [4])
    try context.deleteHistory()
    #expect(try tokens.suffix(1).map(numbers(after:)) == [[]])
    #expect(throws: HistoryError.tokenExpired(last, oldest: tokens[3])) { try numbers(after: last) }
    #expect(try context.fetchHistory().isEmpty)
  }

  @Test("a deletion deletes as many as it is told to, oldest first")
  func limitedDeletion() throws {
    var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
    descriptor.fetchLimit = 3
    #expect(try context.deleteHistory(descriptor) == 3)
    #expect(try context.fetchHistory().map(\.transactionIdentifier) == [4])
  }

  @Test("another store's token is refused wherever it stands")
  func foreign() throws {
    let other = try memoContainer()
    let foreign = try other.lastHistoryToken()
    #expect(throws: HistoryError.foreignToken(foreign)) { try numbers(after: foreign) }
    for predicate in Self.predicates(with: foreign, own: try container.lastHistoryToken()) {
      #expect(throws: HistoryError.foreignToken(foreign)) {
        try context.fetchHistory(HistoryDescriptor(predicate: predicate))
      }
      #expect(throws: HistoryError.foreignToken(foreign)) {
        try context.deleteHistory(HistoryDescriptor(predicate: predicate))
      }
    }
    #expect(throws: HistoryError.foreignToken(foreign)) { try container.advanceHistoryConsumer("a", to: foreign) }
    #expect(try context.fetchHistory().count == 4)
  }

  /// Every place in which a predicate can have a constant token.
  private static func predicates(
    with foreign: DefaultHistoryToken, own: DefaultHistoryToken
  ) -> [Predicate<DefaultHistoryTransaction>] {
    struct Bookmark: Codable {
      var token: DefaultHistoryToken
    }
    let author = "x"
    let list = [own, foreign]
    let maybe: DefaultHistoryToken? = foreign
    let set: Set = [foreign]
    let range = min(own, foreign)...max(own, foreign)
    let from = foreign...
    let bookmark = Bookmark(token: foreign)
    let isBehind = #Expression<DefaultHistoryTransaction, Bool> { $0.token > foreign }
    return [
      #Predicate { $0.author == author || !($0.token <= foreign) },
      #Predicate { $0.token == foreign },
      #Predicate { $0.token != foreign },
      #Predicate { foreign != $0.token },
      #Predicate { list.contains($0.token) },
      #Predicate { !set.contains($0.token) },
      #Predicate { transaction in list.contains { $0 == transaction.token } },
      #Predicate { range.contains($0.token) },
      #Predicate { from.contains($0.token) },
      #Predicate { $0.author == nil ? $0.token > foreign : false },
      #Predicate { ($0.author == nil ? own : foreign) < $0.token },
      #Predicate { $0.token > bookmark.token },
      #Predicate { (maybe ?? own) < $0.token },
      #Predicate { $0.token > own && ($0.author == nil) == ($0.token != foreign) },
      #Predicate { isBehind[$0] },
    ]
  }

  @Test("a token that the store has not reached is refused")
  func unknown() throws {
    let last = try container.lastHistoryToken()
    let json = "{\"store\": \"\(try #require(last.tokenValue?.keys.first))\", \"token\": 9}"
    let future = try JSONDecoder().decode(DefaultHistoryToken.self, from: Data(json.utf8))
    #expect(throws: HistoryError.unknownToken(future, last: last)) { try numbers(after: future) }
    #expect(throws: HistoryError.unknownToken(future, last: last)) {
      try container.advanceHistoryConsumer("a", to: future)
    }
  }

  @Test("a store without a history says so")
  func off() throws {
    let container = try memoContainer(history: .off)
    let context = ModelContext(container)
    context.insert(Memo(id: "a"))
    try context.save()
    #expect(try context.fetchHistory().isEmpty)
    let token = try container.lastHistoryToken()
    #expect(throws: HistoryError.notKept) {
      try context.fetchHistory(HistoryDescriptor(predicate: #Predicate { $0.token > token }))
    }
  }

  @Test("consumers have their transactions kept, and are told when they come too late")
  func consumers() throws {
    let tokens = try tokens()
    try container.advanceHistoryConsumer("push", to: tokens[1], ignoring: "server")
    #expect(try context.deleteHistory() == 3)
    #expect(try context.fetchHistory().map(\.transactionIdentifier) == [3])
    let push = try #require(try container.historyConsumers().first)
    #expect(push.name == "push" && push.token == tokens[1] && push.ignoredAuthor == "server" && !push.hasFallenBehind)
    try container.removeHistoryConsumer("push")
    try context.deleteHistory()
    try container.advanceHistoryConsumer("late", to: tokens[0])
    #expect(try container.historyConsumers().map(\.hasFallenBehind) == [true])
  }

  @Test("a save moves a watermark in its own transaction, or not at all")
  func savedWatermark() throws {
    let tokens = try tokens()
    func watermark() throws -> DefaultHistoryToken? { try container.historyConsumers().first?.token }
    context.author = "push"
    context.insert(Memo(id: "5"))
    try context.save(advancingHistoryConsumer: "push", to: tokens[1], ignoring: "push")
    #expect(try watermark() == tokens[1] && !context.hasChanges)
    #expect(try numbers(after: tokens[1]) == [3, 4, 5])

    try context.save(advancingHistoryConsumer: "push", to: tokens[2], ignoring: "push")
    #expect(try watermark() == tokens[2])
    #expect(try self.tokens().count == 5)

    let store = try #require(tokens[0].tokenValue?.keys.first)
    let future = try JSONDecoder().decode(
      DefaultHistoryToken.self, from: Data("{\"store\": \"\(store)\", \"token\": 9}".utf8))
    let foreign = try memoContainer().lastHistoryToken()
    context.insert(Memo(id: "6"))
    for token in [future, foreign] {
      #expect(throws: HistoryError.self) { try context.save(advancingHistoryConsumer: "push", to: token) }
    }
    #expect(context.hasChanges)
    let elsewhere = try trackerContainer()
    let person = Person(id: "p", name: "p")
    ModelContext(elsewhere).insert(person)
    context.delete(try #require(try context.fetch(FetchDescriptor<Memo>()).first))
    context.insert(person)
    #expect(throws: ModelError.self) { try context.save(advancingHistoryConsumer: "push", to: tokens[3]) }
    #expect(try watermark() == tokens[2])
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Memo>()) == 5)
  }

  @Test("the policy of the configuration holds, and the store in a folder remembers")
  func policyInAFolder() throws {
    let folder = try TemporaryFolder()
    func open() throws -> ModelContainer {
      let url = URL(fileURLWithPath: folder["store"])
      let policy = HistoryPolicy(transactionsMax: 10)
      return try ModelContainer(
        for: Memo.self, configurations: ModelConfiguration(url: url, durability: .relaxed, history: policy))
    }
    let token: DefaultHistoryToken
    do {
      let container = try open()
      let context = ModelContext(container)
      for number in 0..<64 {
        context.insert(Memo(id: "\(number)"))
        try context.save()
      }
      #expect(try context.fetchHistory().count == 10)
      token = try container.lastHistoryToken()
      container.close()
    }
    let container = try open()
    #expect(try container.lastHistoryToken() == token)
    #expect(try ModelContext(container).fetchHistory().last?.token == token)
    container.close()
  }
}
