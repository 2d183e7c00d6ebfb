import Foundation
import Testing

@testable import SwiftSync

/// The forms of a fetch: counts, identifiers, batches, enumerations, deletions.
struct FetchFormTests {
  private static let flagged = #Predicate<Specimen> { $0.flag && $0.int > 0 }

  private func makeContext(_ seed: UInt64) throws -> ModelContext {
    ModelContext(try SpecimenStore(seed: seed).container)
  }

  @Test(
    arguments: [(nil, nil), (nil, 5), (3, nil), (0, 0), (10, 1000), (1000, 5), (.max, .max), (-1, 3)] as [(Int?, Int?)])
  func allFormsGiveTheSameRows(offset: Int?, limit: Int?) throws {
    let context = try makeContext(31)
    for isEdited in [false, true] {
      if isEdited {
        let specimens = try context.fetch(FetchDescriptor(predicate: Self.flagged))
        specimens[0].flag = false
        specimens[1].text = "edited"
        context.delete(specimens[2])
        context.insert(Specimen(id: 900, group: specimens[0].group))
      }
      var descriptor = FetchDescriptor(predicate: Self.flagged, sortBy: [SortDescriptor(\.id)])
      let all = try context.fetch(descriptor)
      descriptor.fetchOffset = offset
      descriptor.fetchLimit = limit
      let expected = all.dropFirst(max(0, offset ?? 0)).prefix(max(0, limit ?? .max))
      let identifiers = expected.map(\.persistentModelID)
      #expect(try context.fetch(descriptor).elementsEqual(expected))
      #expect(try context.fetchCount(descriptor) == expected.count)
      #expect(try context.fetchIdentifiers(descriptor) == identifiers)
      #expect(try context.fetch(descriptor, batchSize: 7).elementsEqual(expected))
      #expect(try context.fetchIdentifiers(descriptor, batchSize: 7).elementsEqual(identifiers))
      var enumerated: [Specimen] = []
      try context.enumerate(descriptor, batchSize: 7) { enumerated.append($0) }
      #expect(enumerated.elementsEqual(expected))
    }
  }

  @Test func batchesAreMadeAsTheyAreAskedFor() throws {
    let context = try makeContext(32)
    let results = try context.fetch(FetchDescriptor<Specimen>(sortBy: [SortDescriptor(\.id)]), batchSize: 10)
    #expect(results.count == SpecimenStore.count)
    #expect(context.graph.registered.objects.isEmpty)
    #expect(results[25].id == 25)
    #expect(context.graph.registered.objects.count == 10)
    #expect(results.last?.id == SpecimenStore.count - 1)
    #expect(results[3...5].map(\.id) == [3, 4, 5])
  }

  @Test func aRowThatIsGoneByThenIsADeletedObject() throws {
    let context = try makeContext(33)
    let results = try context.fetch(FetchDescriptor<Specimen>(sortBy: [SortDescriptor(\.id)]), batchSize: 10)
    let other = ModelContext(context.container)
    try other.delete(model: Specimen.self, where: #Predicate { $0.id == 12 })
    try other.save()
    #expect(results[12].isDeleted)
    #expect(!results[13].isDeleted)
    #expect(results.count == SpecimenStore.count)
  }

  @Test func enumeratingKeepsOneBatchInMemory() throws {
    let context = try makeContext(34)
    var most = 0
    var count = 0
    try context.enumerate(FetchDescriptor<Specimen>(), batchSize: 8) { _ in
      count += 1
      most = max(most, context.graph.registered.objects.count)
    }
    #expect(count == SpecimenStore.count)
    #expect(most <= 16)
    #expect(context.graph.registered.objects.isEmpty)
  }

  @Test func editsThatEscapeAnEnumerationAreToldOf() throws {
    let context = try makeContext(35)
    var count = 0
    #expect(throws: FetchError.editedWhileEnumerating(model: "Specimen")) {
      try context.enumerate(FetchDescriptor<Specimen>(), batchSize: 8) { specimen in
        count += 1
        specimen.text = "edited"
      }
    }
    #expect(count == 8 && context.changedModelsArray.count == 8)
    context.rollback()

    try context.enumerate(FetchDescriptor<Specimen>(), batchSize: 8, allowEscapingMutations: true) {
      $0.text = "edited"
    }
    #expect(context.changedModelsArray.count == SpecimenStore.count)
    context.rollback()

    try context.enumerate(FetchDescriptor<Specimen>(), batchSize: 8) { specimen in
      specimen.text = "saved"
      try context.save()
    }
    #expect(!context.hasChanges)
    let saved = FetchDescriptor<Specimen>(predicate: #Predicate { $0.text == "saved" })
    #expect(try ModelContext(context.container).fetchCount(saved) == SpecimenStore.count)
  }

  @Test func errorsOfTheClosureEndAnEnumeration() throws {
    struct Enough: Error {}
    let context = try makeContext(36)
    var count = 0
    #expect(throws: Enough.self) {
      try context.enumerate(FetchDescriptor<Specimen>(), batchSize: 8) { _ in
        count += 1
        if count == 11 { throw Enough() }
      }
    }
    #expect(count == 11)
  }

  @Test func deletingByPredicate() throws {
    let context = try makeContext(37)
    let count = try context.fetchCount(FetchDescriptor(predicate: Self.flagged))
    try context.delete(model: Specimen.self, where: Self.flagged)
    #expect(context.deletedModelsArray.count == count)
    #expect(try context.fetchCount(FetchDescriptor(predicate: Self.flagged)) == 0)
    context.rollback()
    #expect(try context.fetchCount(FetchDescriptor(predicate: Self.flagged)) == count)
    try context.delete(model: Specimen.self, where: Self.flagged)
    try context.save()
    let other = ModelContext(context.container)
    #expect(try other.fetchCount(FetchDescriptor<Specimen>()) == SpecimenStore.count - count)
    try other.delete(model: Specimen.self)
    try other.save()
    #expect(try context.fetchCount(FetchDescriptor<Specimen>()) == 0)
  }

  @Test func pendingChangesCanBeLeftOut() throws {
    let context = try makeContext(38)
    var descriptor = FetchDescriptor(predicate: Self.flagged)
    let stored = try context.fetch(descriptor)
    stored[0].flag = false
    context.delete(stored[1])
    let added = Specimen(id: 901, group: stored[0].group)
    context.insert(added)
    added.flag = true
    added.int = 1
    #expect(try context.fetchCount(descriptor) == stored.count - 1)
    descriptor.includePendingChanges = false
    #expect(try context.fetchCount(descriptor) == stored.count)
    #expect(Set(try context.fetch(descriptor)) == Set(stored))
  }

  @Test func unknownModelsAreRefusedByEveryForm() throws {
    let context = try makeContext(39)
    let descriptor = FetchDescriptor<Everything>()
    let error = ModelError.unknownModel("Everything")
    #expect(throws: error) { try context.fetch(descriptor) }
    #expect(throws: error) { try context.fetchCount(descriptor) }
    #expect(throws: error) { try context.fetchIdentifiers(descriptor) }
    #expect(throws: error) { try context.fetch(descriptor, batchSize: 3) }
    #expect(throws: error) { try context.enumerate(descriptor) { _ in } }
    #expect(throws: error) { try context.delete(model: Everything.self) }
    #expect(throws: error) { try descriptor.explain(in: context) }
    #expect(throws: error) { try descriptor.explainCount(in: context) }
  }
}
