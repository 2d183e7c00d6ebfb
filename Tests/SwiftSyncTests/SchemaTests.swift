import Foundation
import SwiftSync
import TestSupport
import Testing

@Model final class Team {
  var name: String
  var players: [Player]
  var reserves: [Player]

  init(name: String) {
    self.name = name
    players = []
    reserves = []
  }
}

@Model final class Player {
  var name: String
  var team: Team?

  init(name: String) {
    self.name = name
  }
}

@Model final class Wrong {
  @Relationship(inverse: \Wrong.name) var other: Wrong?
  var name: String

  init() {
    name = ""
  }
}

@Model final class Booking {
  #Unique<Booking>([\.room, \.day])
  #Index<Booking>([\.guest])
  var room: Int
  var day: Int
  var guest: String?

  init(room: Int, day: Int, guest: String? = nil) {
    self.room = room
    self.day = day
    self.guest = guest
  }
}

@Suite("14.1, 14.3: Schemas: what a container is made of, and which declarations are refused")
struct SchemaTests {
  private let memory = ModelConfiguration(isStoredInMemoryOnly: true)

  @Test("2.2-9 A container holds every class that is reachable through relationships")
  func closure() throws {
    let schema = Schema([Ticket.self])
    #expect(Set(schema.entities.map(\.name)) == ["Ticket", "Project", "Person", "Label", "Watcher"])
    let ticket = try #require(schema.entities.first { $0.name == "Ticket" })
    #expect(ticket.attributesByName["id"]?.isUnique == true && ticket.uniquenessConstraints == [["id"]])
    #expect(ticket.attributesByName["estimate"]?.isOptional == true)
    #expect(ticket.relationshipsByName["labels"]?.isToOneRelationship == false)
  }

  @Test("An inverse that cannot be told is an error that names the candidates")
  func ambiguousInverse() {
    #expect(
      throws: SchemaDeclarationError.ambiguousInverse(
        entity: "Team", property: "players", candidates: ["Team.players", "Team.reserves", "Player.team"])
    ) {
      try ModelContainer(for: Team.self, configurations: memory)
    }
  }

  @Test("An inverse that is no relationship back is refused")
  func wrongInverse() {
    #expect(
      throws: SchemaDeclarationError.inverseLeadsElsewhere(entity: "Wrong", property: "other", destination: "Wrong")
    ) {
      try ModelContainer(for: Wrong.self, configurations: memory)
    }
  }

  @Test("A container has one store")
  func severalConfigurations() {
    #expect(throws: ModelError.severalConfigurations(count: 2)) {
      try ModelContainer(for: Booking.self, configurations: memory, memory)
    }
  }

  @Test("#Unique over several attributes: equal in all is the same row, equal in some is not")
  func compoundUnique() throws {
    let context = ModelContext(try ModelContainer(for: Booking.self, configurations: memory))
    context.insert(Booking(room: 1, day: 1, guest: "a"))
    context.insert(Booking(room: 1, day: 2, guest: "b"))
    try context.save()
    context.insert(Booking(room: 1, day: 2, guest: "c"))
    try context.save()
    let guests = try ModelContext(context.container).fetch(FetchDescriptor<Booking>(sortBy: [SortDescriptor(\.day)]))
    #expect(guests.map(\.guest) == ["a", "c"])
  }

  @Test("A store keeps its schema: opening it with one that it cannot follow says why")
  func mismatch() throws {
    let folder = try TemporaryFolder()
    let configuration = ModelConfiguration(url: URL(fileURLWithPath: folder["store"]))
    do {
      let container = try ModelContainer(for: First.Item.self, configurations: configuration)
      defer { container.close() }
      let context = ModelContext(container)
      context.insert(First.Item(name: "one"))
      try context.save()
    }
    let error = #expect(throws: RecordError.self) {
      try ModelContainer(for: Second.Item.self, configurations: configuration)
    }
    #expect(error?.description.contains("size") == true && error?.description.contains("Item") == true)
    #expect(error?.description.contains("SchemaMigrationPlan") == true)
    #expect(throws: Never.self) {
      try ModelContainer(for: First.Item.self, Booking.self, configurations: configuration)
    }
  }

  @Test("#Index names attributes; a relationship is refused by name")
  func indexOnRelationship() {
    #expect(
      throws: SchemaDeclarationError.invalidDeclaration(
        entity: "Misindexed",
        problem: "#Index names other, which is a relationship; only attributes can be named there")
    ) {
      try ModelContainer(for: Misindexed.self, configurations: memory)
    }
  }

  @Test("A store is a folder: another kind of address is refused")
  func notAFile() throws {
    let url = try #require(URL(string: "https://example.com/x"))
    #expect(throws: ModelError.notAFileURL(url)) {
      try ModelContainer(for: Booking.self, configurations: ModelConfiguration(url: url))
    }
  }

  @Test("Errors say their sentence as localizedDescription too")
  func localizedDescriptions() {
    let errors: [any Error & CustomStringConvertible] = [
      ModelError.unknownModel("X"), SchemaDeclarationError.duplicateEntity("X"), StoreError.noSuchStore(path: "/x"),
      RecordError.noSuchRow(entity: "X", row: RowNumber(rawValue: 1)), SyncError.cancelled,
    ]
    for error in errors { #expect(error.localizedDescription == error.description) }
  }
}

enum First {
  @Model final class Item {
    var name: String
    init(name: String) {
      self.name = name
    }
  }
}

enum Second {
  @Model final class Item {
    var name: String
    var size: Int
    init(name: String, size: Int) {
      self.name = name
      self.size = size
    }
  }
}

@Model final class Misindexed {
  #Index<Misindexed>([\.other])
  var other: Misindexed?

  init() {}
}
