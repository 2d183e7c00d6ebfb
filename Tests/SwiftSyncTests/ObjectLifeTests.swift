import Foundation
import TestSupport
import Testing

@testable import SwiftSync

private enum Size: Int, Codable {
  case small = 1, large = 2
}

private struct Doorstep: Codable, Equatable {
  var street: String
}

@Model private final class Crate {
  @Attribute(.unique) var id: Int
  var size: Size
  var address: Doorstep
  @Relationship(deleteRule: .cascade, inverse: \Parcel.crate) var parcels: [Parcel]

  init(id: Int, street: String = "s") {
    self.id = id
    size = .large
    address = Doorstep(street: street)
    parcels = []
  }
}

@Model private final class Parcel {
  var number: Int
  var crate: Crate?
  @Relationship(inverse: \Parcel.previous) var next: Parcel?
  var previous: Parcel?

  init(number: Int) {
    self.number = number
  }
}

@Suite("Objects before and after a save, a rollback and a transaction that fails")
struct ObjectLifeTests {
  private struct Refusal: Error {}

  private let container: ModelContainer
  private let context: ModelContext

  init() throws {
    container = try ModelContainer(
      for: Crate.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    context = ModelContext(container)
  }

  private func storedCrate() throws -> (Crate, [Parcel]) {
    let crate = Crate(id: 1)
    let parcels = (1...3).map(Parcel.init)
    crate.parcels = parcels
    context.insert(crate)
    try context.save()
    return (crate, parcels)
  }

  @Test("What is to be deleted stays hidden when a transaction is undone")
  func undoneTransaction() throws {
    let (crate, parcels) = try storedCrate()
    context.delete(parcels[0])
    #expect(throws: Refusal.self) {
      try context.transaction {
        context.delete(parcels[1])
        throw Refusal()
      }
    }
    #expect(parcels[0].isDeleted && crate.parcels.map(\.number) == [2, 3])
    try context.save()
    #expect(crate.parcels.map(\.number) == [2, 3])
  }

  @Test("A new object that was deleted stays hidden when its owner is rolled back and inserted again")
  func rolledBackOwner() throws {
    let crate = Crate(id: 1)
    let parcels = (1...2).map(Parcel.init)
    crate.parcels = parcels
    context.insert(crate)
    context.delete(parcels[0])
    context.rollback()
    #expect(crate.parcels.map(\.number) == [2])
    context.insert(crate)
    #expect(crate.parcels.map(\.number) == [2])
    try context.save()
    #expect(try context.fetch(FetchDescriptor<Parcel>()).map(\.number) == [2])
  }

  @Test("A Codable value that was read is brought up to date though the object's members have changed")
  func codableValue() throws {
    let (crate, _) = try storedCrate()
    #expect(crate.address.street == "s")
    Parcel(number: 9).crate = crate
    #expect(!crate.hasChanges)
    let other = ModelContext(container)
    try #require(try other.fetch(FetchDescriptor<Crate>()).first).address.street = "elsewhere"
    try other.save()
    _ = try context.fetch(FetchDescriptor<Crate>())
    #expect(crate.address.street == "elsewhere" && crate.parcels.map(\.number) == [1, 2, 3, 9])
  }

  @Test("A new object whose row another one becomes, or which is deleted by its own save, keeps its values")
  func valuesOfGoneObjects() throws {
    let (crate, _) = try storedCrate()
    let first = Crate(id: 2, street: "first")
    let second = Crate(id: 2, street: "second")
    let late = Parcel(number: 9)
    context.insert(first)
    context.insert(second)
    late.crate = crate
    context.delete(crate)
    try context.save()
    #expect(first.isDeleted && late.isDeleted && crate.isDeleted && !second.isDeleted)
    #expect(first.id == 2 && first.size == .large && first.address.street == "first")
    #expect(late.number == 9 && late.crate == nil && crate.address.street == "s")
    first.id = 3
    #expect(throws: ModelError.self) { try context.save() }
    context.insert(first)
    try context.save()
    #expect(
      try ModelContext(container).fetch(FetchDescriptor<Crate>(sortBy: [SortDescriptor(\.id)])).map(\.address.street)
        == ["second", "first"])
  }

  @Test("A registered object is found by an identifier of this store only, and not when it is to be deleted")
  func registeredModel() throws {
    let (crate, _) = try storedCrate()
    let elsewhere = try ModelContainer(
      for: Crate.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let foreignContext = ModelContext(elsewhere)
    let foreign = Crate(id: 1)
    foreignContext.insert(foreign)
    try foreignContext.save()
    func find(_ identifier: PersistentIdentifier) -> Crate? { context.registeredModel(for: identifier) }
    #expect(find(foreign.persistentModelID) == nil)
    #expect(find(crate.persistentModelID) === crate)
    context.delete(crate)
    #expect(find(crate.persistentModelID) == nil)
  }

  @Test("A chain that is longer than the stack is deep is inserted by its first object, in its order")
  func longChain() async throws {
    let container = container
    try await OtherThread.run {
      let parcels = (0..<50_000).map(Parcel.init)
      for (parcel, next) in zip(parcels, parcels.dropFirst()) { parcel.next = next }
      let context = ModelContext(container)
      context.insert(parcels[0])
      #expect(context.insertedModelsArray.count == parcels.count)
      try context.save()
      #expect(try context.fetch(FetchDescriptor<Parcel>()).map(\.number) == Array(0..<50_000))
    }
  }

  @Test("Deleted objects that were linked to each other do not keep each other", arguments: ["here", "elsewhere"])
  func deletedLinks(place: String) throws {
    weak var crate: Crate?
    weak var parcel: Parcel?
    weak var partner: Parcel?
    do {
      let (owner, parcels) = try storedCrate()
      parcels[0].next = parcels[1]
      parcels[1].next = parcels[0]
      (crate, parcel, partner) = (owner, parcels[0], parcels[1])
      let deleter = place == "here" ? context : ModelContext(container)
      try deleter.delete(model: Parcel.self)
      try deleter.delete(model: Crate.self)
      try deleter.save()
      _ = try context.fetchCount(FetchDescriptor<Crate>())
      #expect(parcels.allSatisfy(\.isDeleted) && owner.isDeleted)
    }
    #expect(crate == nil && parcel == nil && partner == nil)
  }
}
