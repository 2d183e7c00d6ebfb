import Foundation
import Records
import TestSupport
import Testing

@testable import SwiftSync

/// Runs a closure when it ends.
@Model private final class Leaver {
  var number: Int
  @Transient var atEnd: () -> Void = {}

  init(number: Int) {
    self.number = number
  }

  deinit { atEnd() }
}

/// A context's table of objects finds every object that is there, and none that is not.
@Suite struct IdentityMapTests {
  @Test func agreesWithADictionary() throws {
    var random = SplitMix64(seed: 20)
    let map = IdentityMap()
    var alive: [UInt64: Ticket] = [:]
    for step in 0..<20_000 {
      let number = UInt64(1 + random.below(600))
      let row = RowNumber(rawValue: number)
      let entity = EntityID(rawValue: UInt32(number % 3))
      switch random.below(10) {
      case 0..<5:
        let ticket = Ticket(id: step, title: "")
        alive[number] = ticket
        map.insert(ticket, row, entity)
      case 5..<8: alive[number] = nil
      case 8:
        alive[number] = nil
        map.remove(row, entity)
      default: if random.chance(2) { alive = [:] }
      }
      #expect(map[row, entity] === alive[number])
      #expect(map[row, EntityID(rawValue: 3)] == nil)
      #expect(map.countMax >= alive.count)
    }
    let objects = map.objects
    #expect(objects.count == alive.count)
    for (entity, row, model) in objects {
      #expect(alive[row.rawValue] === model && entity.rawValue == UInt32(row.rawValue % 3))
    }
  }

  @Test func objectIsNotFoundInItsEnd() throws {
    let container = try ModelContainer(
      for: Leaver.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    var leaver: Leaver? = Leaver(number: 1)
    if let leaver { context.insert(leaver) }
    try context.save()
    let identifier = try #require(leaver?.persistentModelID)
    var found: [Leaver?] = []
    leaver?.atEnd = {
      let registered: Leaver? = context.registeredModel(for: identifier)
      found.append(registered)
      found.append(context.model(for: identifier) as? Leaver)
    }
    leaver = nil
    #expect(found.count == 2 && found[0] == nil)
    let made = try #require(found.last ?? nil)
    #expect(made.number == 1)
    let registered: Leaver? = context.registeredModel(for: identifier)
    #expect(registered === made)
  }

  /// The last reference may be dropped on any thread: whoever looks meanwhile finds the object, whole, or nothing.
  @Test func objectsMayEndOnOtherThreads() {
    let map = IdentityMap()
    let row = RowNumber(rawValue: 1)
    let entity = EntityID(rawValue: 0)
    for round in 0..<300 {
      let last = {
        let ticket = Ticket(id: round, title: "")
        map.insert(ticket, row, entity)
        return Unmanaged.passRetained(ticket)
      }()
      // It is passed to the other thread, and not used here any more.
      nonisolated(unsafe) let passed = last
      Thread { passed.release() }.start()
      while let found = map[row, entity] as? Ticket { #expect(found.id == round) }
    }
  }
}
