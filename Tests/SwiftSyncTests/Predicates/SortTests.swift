import Foundation
import SwiftSync
import Testing

/// A fetch with an order gives what sorting the objects gives, whoever sorts.
struct SortTests {
  /// Whether rows are sorted, or objects.
  enum Sorter { case store, objects }

  struct Order {
    let sorter: Sorter
    let descriptors: [SortDescriptor<Specimen>]
    /// What sorts plain arrays the same way, where `descriptors` cannot because they find NaN equal to everything.
    let plain: [SortDescriptor<Specimen>]

    init(_ sorter: Sorter, _ descriptors: [SortDescriptor<Specimen>], plain: [SortDescriptor<Specimen>]? = nil) {
      self.sorter = sorter
      self.descriptors = descriptors
      self.plain = plain ?? descriptors
    }
  }

  static let orders: [Order] = [
    Order(.store, [SortDescriptor(\.int)]),
    Order(.store, [SortDescriptor(\.int, order: .reverse)]),
    Order(.store, [SortDescriptor(\.text)]),
    Order(.store, [SortDescriptor(\.text, order: .reverse), SortDescriptor(\.int)]),
    Order(.store, [SortDescriptor(\.nick)]),
    Order(.store, [SortDescriptor(\.nick, order: .reverse)]),
    Order(.store, [SortDescriptor(\.optionalInt), SortDescriptor(\.text)]),
    Order(.store, [SortDescriptor(\.unsigned)]),
    Order(.store, [SortDescriptor(\.small)]),
    Order(.store, [SortDescriptor(\.money, order: .reverse)]),
    Order(.store, [SortDescriptor(\.uuid)]),
    Order(.store, [SortDescriptor(\.text, comparator: .localizedStandard)]),
    Order(.store, [SortDescriptor(\.nick, comparator: .localizedStandard, order: .reverse)]),
    Order(.store, [SortDescriptor(\.group.title)]),
    Order(.store, [SortDescriptor(\.owner?.name)]),
    Order(.store, [SortDescriptor(\.owner?.nick, order: .reverse), SortDescriptor(\.int)]),
    Order(.store, [SortDescriptor(\.owner?.boss?.age)]),
    Order(.store, [SortDescriptor(\.mentor?.owner?.born, order: .reverse)]),
    Order(
      .store, [SortDescriptor(\.double)],
      plain: [SortDescriptor(\.double.isNaNRank), SortDescriptor(\.double.withoutNaN)]),
    Order(
      .store, [SortDescriptor(\.single, order: .reverse)],
      plain: [
        SortDescriptor(\.single.isNaNRank, order: .reverse), SortDescriptor(\.single.withoutNaN, order: .reverse),
      ]),
    Order(
      .store, [SortDescriptor(\.optionalDouble)],
      plain: [SortDescriptor(\.optionalDouble?.isNaNRank), SortDescriptor(\.optionalDouble?.withoutNaN)]),
    Order(
      .store, [SortDescriptor(\.date)], plain: [SortDescriptor(\.date.isNaNRank), SortDescriptor(\.date.withoutNaN)]),
    Order(
      .store, [SortDescriptor(\.optionalDate, order: .reverse)],
      plain: [
        SortDescriptor(\.optionalDate?.isNaNRank, order: .reverse),
        SortDescriptor(\.optionalDate?.withoutNaN, order: .reverse),
      ]),
    Order(
      .store, [SortDescriptor(\.optionalInt), SortDescriptor(\.mentor?.double)],
      plain: [
        SortDescriptor(\.optionalInt), SortDescriptor(\.mentor?.double.isNaNRank),
        SortDescriptor(\.mentor?.double.withoutNaN),
      ]),
    Order(.objects, [SortDescriptor(\.level)]),
    Order(.objects, [SortDescriptor(\.optionalLevel, order: .reverse)]),
    Order(.objects, [SortDescriptor(\.shout)]),
    Order(.objects, [SortDescriptor(\.mentor?.shout)]),
    Order(.objects, [SortDescriptor(\.place.city), SortDescriptor(\.place.floor)]),
    Order(.objects, [SortDescriptor(\.tags.count)]),
    Order(.objects, [SortDescriptor(\.flavor.rawValue)]),
    Order(
      .objects, [SortDescriptor(\.level), SortDescriptor(\.double)],
      plain: [SortDescriptor(\.level), SortDescriptor(\.double.isNaNRank), SortDescriptor(\.double.withoutNaN)]),
  ]

  @Test(arguments: [1, 2] as [UInt64])
  func fetchesSortAsArraysDo(seed: UInt64) throws {
    let context = ModelContext(try SpecimenStore(seed: seed).container)
    let specimens = try context.fetch(FetchDescriptor<Specimen>())
    let last = [SortDescriptor(\Specimen.id)]
    for (number, order) in Self.orders.enumerated() {
      let expected = specimens.sorted(using: order.plain + last).map(\.id)
      var descriptor = FetchDescriptor(sortBy: order.descriptors + last)
      #expect(try context.fetch(descriptor).map(\.id) == expected, "order \(number)")
      let sorter: Sorter = try descriptor.explain(in: context).contains("sort: objects") ? .objects : .store
      #expect(sorter == order.sorter, "order \(number)")
      descriptor.fetchOffset = 7
      descriptor.fetchLimit = 20
      #expect(try context.fetch(descriptor).map(\.id) == Array(expected[7..<27]), "order \(number)")
      descriptor.predicate = #Predicate { $0.flag && $0.level.rawValue > 5 }
      let flagged = specimens.filter(\.flag).sorted(using: order.plain + last).map(\.id)
      #expect(try context.fetch(descriptor).map(\.id) == Array(flagged.dropFirst(7).prefix(20)), "order \(number)")
    }
  }

  @Test func unsavedObjectsAreSortedIn() throws {
    let context = ModelContext(try SpecimenStore(seed: 3).container)
    let all = try edit(context)
    for (number, order) in Self.orders.enumerated() {
      var descriptor = FetchDescriptor(sortBy: order.descriptors + [SortDescriptor(\.id)])
      descriptor.fetchLimit = 60
      let expected = all.sorted(using: order.plain + [SortDescriptor(\.id)]).prefix(60).map(\.id)
      #expect(try context.fetch(descriptor).map(\.id) == expected, "order \(number)")
      #expect(
        try context.fetchIdentifiers(descriptor).count == 60
          && context.fetchIdentifiers(descriptor) == context.fetch(descriptor).map(\.persistentModelID),
        "order \(number)")
    }
  }

  /// With unsaved edits and without, whoever sorts: specimens are made in the order of their identities.
  @Test(arguments: [false, true])
  func objectsThatAgreeAreInTheOrderOfTheirCreation(isEdited: Bool) throws {
    let context = ModelContext(try SpecimenStore(seed: 4).container)
    let all = isEdited ? try edit(context) : try context.fetch(FetchDescriptor<Specimen>())
    for (number, order) in ([Order(.store, [])] + Self.orders).enumerated() {
      let descriptor = FetchDescriptor(sortBy: order.descriptors)
      let expected = all.sorted(using: order.plain + [SortDescriptor(\.id)]).map(\.id)
      #expect(try context.fetch(descriptor).map(\.id) == expected, "order \(number)")
      #expect(try context.fetch(descriptor, batchSize: 50).map(\.id) == expected, "order \(number)")
      var enumerated: [Int] = []
      try context.enumerate(descriptor, batchSize: 50) { enumerated.append($0.id) }
      #expect(enumerated == expected, "order \(number)")
    }
  }

  @Test func unsavedEditsAreNoMatterWhereTheyAreLeftOut() throws {
    let context = ModelContext(try SpecimenStore(seed: 5).container)
    let stored = try ModelContext(context.container).fetch(FetchDescriptor<Specimen>())
    let kept = try edit(context)
    for (number, order) in Self.orders.enumerated() {
      var descriptor = FetchDescriptor(sortBy: order.descriptors)
      descriptor.includePendingChanges = false
      let expected = stored.sorted(using: order.plain).map(\.id)
      let found = try context.fetch(descriptor)
      #expect(found.map(\.id) == expected, "order \(number)")
      #expect(found.contains { $0 === kept[5] && $0.text == "b" }, "These are the context's own objects.")
    }
  }

  /// Edits some objects, deletes one and inserts one. Returns all that are left in the order of their creation.
  private func edit(_ context: ModelContext) throws -> [Specimen] {
    let specimens = try context.fetch(FetchDescriptor<Specimen>())
    specimens[5].text = "b"
    specimens[6].owner?.name = "Zed"
    specimens[7].double = .nan
    specimens[9].date = Date(timeIntervalSinceReferenceDate: .nan)
    specimens[10].double = 0.7
    context.delete(specimens[8])
    let added = Specimen(id: 500, group: specimens[0].group)
    context.insert(added)
    return specimens.filter { $0 !== specimens[8] } + [added]
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

extension FloatingPoint {
  fileprivate var isNaNRank: Int { isNaN ? 1 : 0 }
  fileprivate var withoutNaN: Self { isNaN ? 0 : self }
}

extension Date {
  fileprivate var isNaNRank: Int { timeIntervalSinceReferenceDate.isNaNRank }
  fileprivate var withoutNaN: Double { timeIntervalSinceReferenceDate.withoutNaN }
}
