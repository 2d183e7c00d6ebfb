import Testing

@testable import Sync

@Suite("Both directions of a relationship agree from the moment of a change on")
struct ObjectRelationshipTests {
  private struct World {
    let stack: DataStack
    let context: ManagedObjectContext
    let people: [ManagedObject]
    let notes: [ManagedObject]
  }

  /// Three people and three notes: the first two notes are the first person's.
  private func world(saved: Bool) throws -> World {
    let stack = try Shop.stack()
    let context = stack.newBackgroundContext()
    let people = try (1...3).map { try context.make("Person", ["id": $0]) }
    let notes = try (1...3).map { try context.make("Note", ["id": $0]) }
    try people[0].setValue([notes[0], notes[1]], for: "notes")
    if saved { try context.save() }
    return World(stack: stack, context: context, people: people, notes: notes)
  }

  /// What others see after a save is what the context showed before.
  private func expectStored(_ world: World, _ read: (ManagedObjectContext) throws -> [[Int?]]) throws {
    let shown = try read(world.context)
    try world.context.save()
    #expect(try read(world.context) == shown)
    #expect(try read(world.stack.newBackgroundContext()) == shown)
  }

  private func notesByPerson(_ context: ManagedObjectContext) throws -> [[Int?]] {
    try context.all("Person").map { try $0.ids("notes").sorted { ($0 ?? 0) < ($1 ?? 0) } }
  }

  @Test("A to-one side moves its object from one owner to another", arguments: [true, false])
  func toOne(saved: Bool) throws {
    let world = try world(saved: saved)
    try world.notes[0].setValue(world.people[1], for: "author")
    #expect(try world.people[0].ids("notes") == [2])
    #expect(try world.people[1].ids("notes") == [1])
    try expectStored(world, notesByPerson)
    world.notes[0]["author"] = nil
    #expect(try world.people[1].ids("notes").isEmpty)
    try expectStored(world, notesByPerson)
  }

  @Test("A to-many side sets and clears the other one", arguments: [true, false])
  func toMany(saved: Bool) throws {
    let world = try world(saved: saved)
    try world.people[2].setValue([world.notes[2], world.notes[1]], for: "notes")
    #expect(try world.notes[1].object("author") === world.people[2])
    #expect(try world.people[0].ids("notes") == [1])
    try expectStored(world, notesByPerson)
    try world.people[2].remove(world.notes[2], from: "notes")
    #expect(world.notes[2]["author"] == nil)
    try world.people[2].add(world.notes[0], to: "notes")
    #expect(try world.people[0].ids("notes").isEmpty)
    try expectStored(world, notesByPerson)
    world.people[2]["notes"] = nil
    #expect(try world.notes.allSatisfy { try $0.object("author") == nil })
  }

  @Test(
    "CD-5.3 One object is the partner of one: it is taken over, and the former owner ends with nil",
    arguments: [true, false])
  func oneToOne(saved: Bool) throws {
    let world = try world(saved: false)
    let passports = try (1...2).map { try world.context.make("Passport", ["id": $0]) }
    try world.people[0].setValue(passports[0], for: "passport")
    try world.people[1].setValue(passports[1], for: "passport")
    if saved { try world.context.save() }
    try world.people[1].setValue(passports[0], for: "passport")
    #expect(world.people[0]["passport"] == nil)
    #expect(try passports[0].object("holder") === world.people[1])
    #expect(passports[1]["holder"] == nil)
    try expectStored(world) { context in
      [
        try context.all("Person").map { try $0.object("passport")?.value("id") },
        try context.all("Passport").map { try $0.object("holder")?.value("id") },
      ]
    }
  }

  @Test("Both sides of a many-to-many are lists", arguments: [true, false])
  func manyToMany(saved: Bool) throws {
    let world = try world(saved: saved)
    let tags = try ["a", "b"].map { try world.context.make("Tag", ["label": $0]) }
    try world.notes[0].setValue(tags, for: "tags")
    try tags[1].add(world.notes[2], to: "notes")
    #expect(try world.notes[2].objects("tags") == [tags[1]])
    #expect(try Set(tags[1].ids("notes")) == [1, 3])
    try world.context.save()
    try world.notes[0].remove(tags[1], from: "tags")
    #expect(try tags[1].ids("notes") == [3])
    let other = world.stack.newBackgroundContext()
    try world.context.save()
    #expect(try other.all("Tag", by: "label").map { try $0.ids("notes") } == [[1], [3]])
  }

  @Test("An entity can lead to itself")
  func selfReference() throws {
    let world = try world(saved: true)
    try world.people[0].setValue([world.people[1], world.people[0]], for: "staff")
    #expect(try world.people[0].object("boss") === world.people[0])
    try world.people[1].add(world.people[2], to: "staff")
    try expectStored(world) { context in
      [try context.all("Person").map { try $0.object("boss")?.value("id") }]
    }
  }

  @Test("CD-5.6 An ordered relationship keeps every order of its members", arguments: [true, false])
  func order(saved: Bool) throws {
    let world = try world(saved: saved)
    let team = try world.context.make("Team", ["id": 1])
    for permutation in [[2, 0, 1], [0, 2, 1], [1, 0, 2], [2, 1, 0]] {
      let players = permutation.map { world.people[$0] }
      try team.setValue(players, for: "players")
      #expect(try team.objects("players") == players)
      try expectStored(world) { try $0.all("Team").map { try $0.ids("players") } }
    }
    let newcomer = try world.context.make("Person", ["id": 9])
    let second = try world.context.make("Person", ["id": 8])
    try team.add(newcomer, to: "players", at: 1)
    try second.add(team, to: "teams")
    #expect(try team.ids("players") == [3, 9, 2, 1, 8])
    try team.add(world.people[0], to: "players", at: 0)
    #expect(try team.ids("players") == [1, 3, 9, 2, 8])
    try expectStored(world) { try $0.all("Team").map { try $0.ids("players") } }
  }

  @Test("Several members that name their owner themselves come in the order of naming")
  func orderFromTheOtherSide() throws {
    let world = try world(saved: false)
    let team = try world.context.make("Team", ["id": 1])
    for position in [1, 0, 2] { try world.people[position].add(team, to: "teams") }
    #expect(try team.ids("players") == [2, 1, 3])
    try expectStored(world) { try $0.all("Team").map { try $0.ids("players") } }
  }

  @Test("An object that is to be deleted is not shown, and shown again when it is not")
  func deletion() throws {
    let world = try world(saved: true)
    world.context.delete(world.notes[0])
    #expect(try world.people[0].ids("notes") == [2])
    world.context.rollback()
    #expect(try world.people[0].ids("notes") == [1, 2])
    world.context.delete(world.people[0])
    #expect(world.notes[0]["author"] == nil)
    try world.context.save()
    // The rule is to cascade.
    #expect(try world.context.ids("Note") == [3])
    #expect(world.notes[0].isDeleted)
    #expect(world.notes[0].managedObjectContext != nil)
  }
}
