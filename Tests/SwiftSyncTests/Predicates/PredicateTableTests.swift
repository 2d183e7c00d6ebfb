import Foundation
import Records
import TestSupport
import Testing

@testable import SwiftSync

/// The table of predicates, answered by the planner and by evaluating each on every object.
struct PredicateTableTests {
  /// Whoever adds a predicate counts it here, so that none gets lost.
  static let predicateCount = 383

  @Test(arguments: [true, false])
  func plansAgreeWithPlainEvaluation(hasIndexes: Bool) throws {
    for seed in 1...2 as ClosedRange<UInt64> {
      let context = ModelContext(try SpecimenStore(seed: seed, hasIndexes: hasIndexes).container)
      let specimens = try context.fetch(FetchDescriptor<Specimen>())
      let rows = try PredicateTable(context).rows
      #expect(rows.count == Self.predicateCount)
      for row in rows {
        let expected = try specimens.filter { try row.predicate.evaluate($0) }.map(\.id).sorted()
        try expectAgreement(expected, row, in: ModelContext(context.container), "seed \(seed)")
      }
    }
  }

  /// What is looked for in indexes must not differ from what a look at each row finds.
  @Test func filtersAgreeWithPlainEvaluation() throws {
    let context = ModelContext(try SpecimenStore(seed: 4).container)
    let specimens = try context.fetch(FetchDescriptor<Specimen>())
    let binding = try context.core.binding(of: Specimen.self)
    for row in try PredicateTable(context).rows {
      let compiled = try CompiledPredicate(row.predicate, binding, on: .context(context), .none)
      let filter = try RecordFilter(compiled.condition, of: binding.entity, in: context.core.store.catalog)
      var found: [Int] = []
      try context.core.store.read { snapshot in
        try snapshot.forEachRecord(of: binding.entity) { number, record in
          if try filter.matches(number, record, in: snapshot), try compiled.accepts(number, record, in: snapshot) {
            found.append(Int(record.int64(try #require(binding.field(of: 0)))))
          }
          return .continue
        }
      }
      let expected = try specimens.filter { try row.predicate.evaluate($0) }.map(\.id).sorted()
      #expect(found.sorted() == expected, "\(row)")
    }
  }

  @Test func unsavedEditsCount() throws {
    for seed in 5...7 as ClosedRange<UInt64> {
      let context = ModelContext(try SpecimenStore(seed: seed).container)
      var random = SplitMix64(seed: seed)
      try edit(context, &random)
      let deleted = context.deletedModelsArray.map(\.persistentModelID)
      let specimens = try context.fetch(FetchDescriptor<Specimen>()).filter { !deleted.contains($0.persistentModelID) }
      for row in try PredicateTable(context).rows {
        let expected = try specimens.filter { try row.predicate.evaluate($0) }.map(\.id).sorted()
        try expectAgreement(expected, row, in: context, "seed \(seed)")
      }
    }
  }

  private func expectAgreement(
    _ expected: [Int], _ row: PredicateTable.Row, in context: ModelContext, _ note: String
  ) throws {
    let descriptor = FetchDescriptor(predicate: row.predicate)
    let found = try context.fetch(descriptor).map(\.id).sorted()
    let plan = try descriptor.explain(in: context)
    #expect(found == expected, "\(row) \(note)\n\(plan)")
    #expect(try context.fetchCount(descriptor) == expected.count, "\(row) \(note)")
  }

  /// What is evaluated on objects, too, is evaluated on what is stored.
  @Test func unsavedEditsCanBeLeftOut() throws {
    let context = ModelContext(try SpecimenStore(seed: 8).container)
    var random = SplitMix64(seed: 8)
    try edit(context, &random)
    let stored = ModelContext(context.container)
    let specimens = try stored.fetch(FetchDescriptor<Specimen>())
    for row in try PredicateTable(stored).rows {
      let expected = try specimens.filter { try row.predicate.evaluate($0) }.map(\.id).sorted()
      var descriptor = FetchDescriptor(predicate: row.predicate)
      descriptor.includePendingChanges = false
      #expect(try context.fetch(descriptor).map(\.id).sorted() == expected, "\(row)")
      #expect(try context.fetchCount(descriptor) == expected.count, "\(row)")
    }
    #expect(context.changedModelsArray.count > 5 && context.deletedModelsArray.count > 4)
  }

  /// Changes some of everything without saving it.
  private func edit(_ context: ModelContext, _ random: inout SplitMix64) throws {
    let owners = try context.fetch(FetchDescriptor<SpecimenOwner>(sortBy: [SortDescriptor(\.age)]))
    let groups = try context.fetch(FetchDescriptor<SpecimenGroup>(sortBy: [SortDescriptor(\.title)]))
    let labels = try context.fetch(FetchDescriptor<SpecimenLabel>(sortBy: [SortDescriptor(\.rank)]))
    let specimens = try context.fetch(FetchDescriptor<Specimen>(sortBy: [SortDescriptor(\.id)]))
    for specimen in specimens where random.below(10) == 0 {
      switch random.below(5) {
      case 0: SpecimenStore.randomize(specimen, &random)
      case 1: specimen.owner = random.one(of: owners)
      case 2: specimen.mentor = random.one(of: specimens)
      case 3: specimen.labels = labels.filter { _ in random.below(2) == 0 }
      default: specimen.group = random.one(of: groups)
      }
    }
    if random.below(2) == 0 { owners[1].name = "Bo" }
    if random.below(2) == 0 { owners[4].boss = owners[1] }
    if random.below(2) == 0 { context.delete(owners[5]) }
    if random.below(2) == 0 { labels[3].rank = 0 }
    for id in 1000..<1010 {
      let specimen = Specimen(id: id, group: random.one(of: groups))
      context.insert(specimen)
      SpecimenStore.randomize(specimen, &random)
      specimen.owner = random.one(of: owners)
      specimen.labels = [random.one(of: labels)]
    }
    for specimen in specimens[20..<25] { context.delete(specimen) }
  }
}
