import Foundation
import SwiftSync
import Testing

@Model final class Shelf {
  @Attribute(.unique) var id: Int
  var room: String?
  @Relationship(inverse: \Volume.shelf) var volumes: [Volume]

  init(id: Int) {
    self.id = id
    volumes = []
  }
}

@Model final class Volume {
  var title: String
  var shelf: Shelf

  init(title: String, shelf: Shelf) {
    self.title = title
    self.shelf = shelf
  }
}

@Suite("A new object with a stored identity replaces all that the row holds")
struct UpsertTests {
  private let context: ModelContext
  private let stored = Shelf(id: 1)

  init() throws {
    context = ModelContext(
      try ModelContainer(for: Shelf.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    stored.room = "hall"
    context.insert(Volume(title: "Notes", shelf: stored))
    try context.save()
  }

  @Test func requiredMembersHaveToBeHandedOver() throws {
    let new = Shelf(id: 1)
    context.insert(new)
    let error = #expect(throws: RecordError.self) { try context.save() }
    guard case .missingDestination("Volume", _, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }

    new.volumes = stored.volumes
    try context.save()
    #expect(stored.isDeleted && !new.isDeleted)
    let shelves = try ModelContext(context.container).fetch(FetchDescriptor<Shelf>())
    #expect(shelves.map(\.volumes.count) == [1])
    #expect(shelves.map(\.room) == [nil])
  }

  private func shelf(_ id: Int) throws -> Shelf {
    let known = try context.fetch(FetchDescriptor<Shelf>(predicate: #Predicate { $0.id == id })).first
    if let known { return known }
    let new = Shelf(id: id)
    context.insert(new)
    return new
  }

  @Test func whatIsFetchedFirstIsKept() throws {
    try shelf(1).room = "attic"
    try shelf(2).room = "cellar"
    try context.save()
    #expect(!stored.isDeleted && stored.room == "attic" && stored.volumes.count == 1)
    #expect(try context.fetchCount(FetchDescriptor<Shelf>()) == 2)
  }
}
