import Foundation
import Testing

@testable import SwiftSync

private enum Grade: String, Codable {
  case fine, poor
}

private enum Mood: String, Codable, CaseIterable {
  case calm, wild
}

private struct Inner: Codable, Equatable {
  var id: UUID
  var mood: Mood
  var note: String?
  var parts: [Int]
}

private struct Outer: Codable, Equatable {
  var name: String
  var inner: Inner
  var table: [String: Int]
}

private enum Payment: Codable, Equatable {
  case cash
  case card(number: Int)
}

@Model private final class Receipt {
  @Attribute(.unique) var id: Int
  var grade: Grade
  var mood: Mood
  var outer: Outer
  var payment: Payment = Payment.card(number: 7)

  init(id: Int) {
    self.id = id
    grade = .poor
    mood = .wild
    outer = Outer(name: "n", inner: Inner(id: UUID(), mood: .wild, note: "x", parts: [1]), table: ["a": 1])
    payment = .cash
  }
}

@Suite("What stands in for the values of an object whose row is gone")
struct StandInTests {
  private let container: ModelContainer
  private let context: ModelContext
  private let blank = Outer(
    name: "", inner: Inner(id: .standIn, mood: .calm, note: nil, parts: []), table: [:])

  init() throws {
    container = try ModelContainer(for: Receipt.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    context = ModelContext(container)
    for id in 1...3 { context.insert(Receipt(id: id)) }
    try context.save()
  }

  private func expectStandIns(_ receipt: Receipt) {
    #expect(receipt.isDeleted)
    #expect(receipt.id == 0 && receipt.grade == .fine && receipt.mood == .calm)
    #expect(receipt.outer == blank)
    #expect(receipt.payment == .card(number: 7))
  }

  @Test("an identifier of a deleted row gives an object with stand-ins of every type")
  func deletedIdentifier() throws {
    let receipt = try #require(try context.fetch(FetchDescriptor<Receipt>()).first)
    let identifier = receipt.persistentModelID
    context.delete(receipt)
    try context.save()
    expectStandIns(try #require(ModelContext(container).model(for: identifier) as? Receipt))
  }

  @Test("so does a batch whose rows another context has deleted before it was made")
  func deletedBatch() throws {
    let reader = ModelContext(container)
    let batches = try reader.fetch(FetchDescriptor<Receipt>(), batchSize: 1)
    try context.delete(model: Receipt.self)
    try context.save()
    #expect(batches.count == 3)
    for receipt in batches { expectStandIns(receipt) }
  }

  @Test("a type may contain itself, or have no such value at all")
  func limits() {
    struct Chain: Codable {
      var next: [Chain]
    }
    final class Endless: Codable {
      var next: Endless
      init(next: Endless) { self.next = next }
    }
    #expect(StandIn.value(of: Chain.self)?.next.isEmpty == true)
    #expect(StandIn.value(of: Endless.self) == nil)
    #expect(StandIn.value(of: Payment.self) == nil)
    #expect(StandIn.value(of: [Payment].self) == [])
    #expect(StandIn.value(of: Payment?.self) == .some(nil))
  }
}
