import Foundation
import SwiftSync
import Synchronization
import TestSupport
import Testing

@Suite("Store events: one handler hears of the files and of the history")
struct StoreEventTests {
  @Test func handlerHearsWhoHasFallenBehind() throws {
    let policy = HistoryPolicy(transactionsMax: 5, consumerTransactionsMax: 20)
    let container = try memoContainer(history: policy)
    let events = Mutex<[StoreEvent]>([])
    let observation = container.observeStoreEvents { event in events.withLock { $0.append(event) } }
    try container.advanceHistoryConsumer("push", to: container.lastHistoryToken())
    let context = ModelContext(container)
    for number in 0..<64 {
      context.insert(Memo(id: "\(number)"))
      try context.save()
    }
    #expect(events.withLock { $0 }.contains(.historyConsumerFellBehind(name: "push")))
    #expect(try container.historyConsumers().map(\.hasFallenBehind) == [true])
    withExtendedLifetime(observation) {}
  }

  @Test func handlerHearsOfTheFiles() async throws {
    let folder = try TemporaryFolder()
    let configuration = ModelConfiguration(url: URL(fileURLWithPath: folder["store"]), durability: .relaxed)
    let container = try ModelContainer(for: Memo.self, configurations: configuration)
    let events = Mutex<[StoreEvent]>([])
    let observation = container.observeStoreEvents { event in events.withLock { $0.append(event) } }
    let context = ModelContext(container)
    for number in 0..<200 {
      context.insert(Memo(id: "\(number)", text: String(repeating: "x", count: 10_000)))
      try context.save()
    }
    await OtherThread.wait {
      events.withLock { $0.contains { if case .checkpoint = $0 { true } else { false } } }
    }
    withExtendedLifetime(observation) {}
    container.close()
  }
}
