import Foundation
import SwiftSync
import Testing

/// A fetch with an order gives what sorting the objects gives, whoever sorts.
struct SortTests {
  /// Whether rows are sorted, or objects.
  enum Sorter { case store, objects }

  static let orders: [(Sorter, [SortDescriptor<Specimen>])] = [
    (.store, [SortDescriptor(\.int)]),
    (.store, [SortDescriptor(\.int, order: .reverse)]),
    (.store, [SortDescriptor(\.text)]),
    (.store, [SortDescriptor(\.text, order: .reverse), SortDescriptor(\.int)]),
    (.store, [SortDescriptor(\.nick)]),
    (.store, [SortDescriptor(\.nick, order: .reverse)]),
    (.store, [SortDescriptor(\.optionalInt), SortDescriptor(\.text)]),
    (.store, [SortDescriptor(\.unsigned)]),
    (.store, [SortDescriptor(\.small)]),
    (.store, [SortDescriptor(\.money, order: .reverse)]),
    (.store, [SortDescriptor(\.date)]),
    (.store, [SortDescriptor(\.optionalDate, order: .reverse)]),
    (.store, [SortDescriptor(\.uuid)]),
    (.store, [SortDescriptor(\.text, comparator: .localizedStandard)]),
    (.store, [SortDescriptor(\.nick, comparator: .localizedStandard, order: .reverse)]),
    (.store, [SortDescriptor(\.group.title)]),
    (.store, [SortDescriptor(\.owner?.name)]),
    (.store, [SortDescriptor(\.owner?.nick, order: .reverse), SortDescriptor(\.int)]),
    (.store, [SortDescriptor(\.owner?.boss?.age)]),
    (.store, [SortDescriptor(\.mentor?.owner?.born, order: .reverse)]),
    (.objects, [SortDescriptor(\.level)]),
    (.objects, [SortDescriptor(\.optionalLevel, order: .reverse)]),
    (.objects, [SortDescriptor(\.shout)]),
    (.objects, [SortDescriptor(\.mentor?.shout)]),
    (.objects, [SortDescriptor(\.place.city), SortDescriptor(\.place.floor)]),
    (.objects, [SortDescriptor(\.tags.count)]),
    (.objects, [SortDescriptor(\.flavor.rawValue)]),
  ]

  @Test(arguments: [1, 2] as [UInt64])
  func fetchesSortAsArraysDo(seed: UInt64) throws {
    let context = ModelContext(try SpecimenStore(seed: seed).container)
    let specimens = try context.fetch(FetchDescriptor<Specimen>())
    let last = [SortDescriptor(\Specimen.id)]
    for (number, (sorter, order)) in Self.orders.enumerated() {
      let expected = specimens.sorted(using: order + last).map(\.id)
      var descriptor = FetchDescriptor(sortBy: order + last)
      #expect(try context.fetch(descriptor).map(\.id) == expected, "order \(number)")
      #expect(try descriptor.explain(in: context).contains("sort: objects") == (sorter == .objects), "order \(number)")
      descriptor.fetchOffset = 7
      descriptor.fetchLimit = 20
      #expect(try context.fetch(descriptor).map(\.id) == Array(expected[7..<27]), "order \(number)")
      descriptor.predicate = #Predicate { $0.flag && $0.level.rawValue > 5 }
      let flagged = specimens.filter(\.flag).sorted(using: order + last).map(\.id)
      #expect(try context.fetch(descriptor).map(\.id) == Array(flagged.dropFirst(7).prefix(20)), "order \(number)")
    }
  }

  @Test func unsavedObjectsAreSortedIn() throws {
    let context = ModelContext(try SpecimenStore(seed: 3).container)
    let specimens = try context.fetch(FetchDescriptor<Specimen>())
    specimens[5].text = "b"
    specimens[6].owner?.name = "Zed"
    context.delete(specimens[8])
    let added = Specimen(id: 500, group: specimens[0].group)
    context.insert(added)
    let all = specimens.filter { $0 !== specimens[8] } + [added]
    for (number, (_, order)) in Self.orders.enumerated() {
      var descriptor = FetchDescriptor(sortBy: order + [SortDescriptor(\.id)])
      descriptor.fetchLimit = 60
      let expected = all.sorted(using: descriptor.sortBy).prefix(60).map(\.id)
      #expect(try context.fetch(descriptor).map(\.id) == expected, "order \(number)")
      #expect(
        try context.fetchIdentifiers(descriptor).count == 60
          && context.fetchIdentifiers(descriptor) == context.fetch(descriptor).map(\.persistentModelID),
        "order \(number)")
    }
  }

  @Test func localizedStandardOrderIsThatOfLists() {
    let texts = ["item 10", "Zoë", "item 9", "zoe", "Äpfel", "apfel", "Birne", "", "item 9b"]
    #expect(
      texts.sorted(using: KeyPathComparator(\.localizedStandardOrder))
        == ["", "apfel", "Äpfel", "Birne", "item 9", "item 9b", "item 10", "zoe", "Zoë"]
        || texts.sorted(using: KeyPathComparator(\.localizedStandardOrder))
          == ["", "apfel", "Äpfel", "Birne", "item 9", "item 9b", "item 10", "Zoë", "zoe"]
    )
  }
}
