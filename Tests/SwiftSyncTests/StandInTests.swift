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

/// Its first case leads to all that can be asked of a decoder for the parts of a case.
private enum Drawing: Codable, Equatable {
  case outline(points: [Point], label: String?, payment: Payment, inner: Inner, Grade)
  case none
}

/// Written as two numbers without names.
private struct Point: Codable, Equatable {
  var x: Double
  var y: Double

  init(x: Double, y: Double) {
    (self.x, self.y) = (x, y)
  }

  init(from decoder: any Decoder) throws {
    var numbers = try decoder.unkeyedContainer()
    x = try numbers.decode(Double.self)
    y = try numbers.decode(Double.self)
  }

  func encode(to encoder: any Encoder) throws {
    var numbers = encoder.unkeyedContainer()
    try numbers.encode(x)
    try numbers.encode(y)
  }
}

/// Refuses what is empty, and has no cases.
private struct Code: RawRepresentable, Codable {
  static let none = Code()

  let rawValue: String

  private init() {
    rawValue = "none"
  }

  init?(rawValue: String) {
    if rawValue.isEmpty { return nil }
    self.rawValue = rawValue
  }
}

/// Refuses every decoder, and so what is stored.
private struct Locked: Codable {
  struct Refusal: Error {}

  init() {}

  init(from decoder: any Decoder) throws { throw Refusal() }
}

/// An enum with associated values whose first case contains another, without end.
private enum Chained: Codable, CaseIterable {
  indirect case link(Chained)
  case end

  static var allCases: [Chained] { [.end] }
}

@Model private final class Receipt {
  @Attribute(.unique) var id: Int
  var grade: Grade
  var mood: Mood
  var outer: Outer
  var payment: Payment
  var shape: Drawing
  var origin: Point
  var chained: Chained
  var code: Code = Code.none
  var locked: Locked?

  init(id: Int) {
    self.id = id
    grade = .poor
    mood = .wild
    outer = Outer(name: "n", inner: Inner(id: UUID(), mood: .wild, note: "x", parts: [1]), table: ["a": 1])
    payment = .card(number: id)
    shape = Drawing.none
    origin = Point(x: 1, y: 1)
    chained = .end
  }
}

@Model private final class Ciphered {
  var code: Code

  init(code: Code) {
    self.code = code
  }
}

@Model private final class Vault {
  var content: Locked
  var ciphered: [Ciphered]

  init(content: Locked) {
    self.content = content
    ciphered = []
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
    #expect(receipt.payment == .cash && receipt.origin == Point(x: 0, y: 0))
    #expect(
      receipt.shape == .outline(points: [], label: nil, payment: .cash, inner: blank.inner, .fine))
    #expect(receipt.code.rawValue == "none" && receipt.locked == nil)
    if case .link = receipt.chained { Issue.record("It has no end.") }
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
    struct Greedy: Codable {
      var count = 0
      init(from decoder: any Decoder) throws {
        var elements = try decoder.unkeyedContainer()
        while (try? elements.decode(Int.self)) != nil { count += 1 }
      }
    }
    enum Single: Codable {
      case only(Int)
    }
    #expect(StandIn.value(of: Endless.self) == nil)
    #expect(StandIn.value(of: Locked.self) == nil)
    #expect(StandIn.value(of: Single.self) == nil)
    #expect(StandIn.value(of: Greedy.self)?.count == 64)
    #expect(StandIn.value(of: [Payment].self) == [])
    #expect(StandIn.value(of: Locked?.self) != nil)
  }

  @Test("a container is not made of a class with an attribute that would have no value then, and it is told what to do")
  func refusedDeclarations() throws {
    for (type, attribute) in [(Vault.self, "content"), (Ciphered.self, "code")] as [(any PersistentModel.Type, String)]
    {
      let error = #expect(throws: SchemaDeclarationError.self) {
        try ModelContainer(for: Schema([type]), configurations: ModelConfiguration(isStoredInMemoryOnly: true))
      }
      guard case .noStandIn(type.modelTable.name, attribute, _)? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(error?.description.contains("CaseIterable") == true)
    }
  }
}
