import SwiftSync
import Testing

/// An owner of things that cannot be without one, each kind under another delete rule.
@Model final class Household {
  var name: String
  @Relationship(inverse: \Pet.household) var pets: [Pet]
  @Relationship(deleteRule: .cascade, inverse: \Room.household) var rooms: [Room]
  @Relationship(deleteRule: .deny, inverse: \Lease.household) var leases: [Lease]
  @Relationship(deleteRule: .noAction, inverse: \Doorbell.household) var doorbell: Doorbell?

  init(name: String) {
    self.name = name
    self.pets = []
    self.rooms = []
    self.leases = []
  }
}

@Model final class Pet {
  var name: String
  var household: Household

  init(name: String, household: Household) {
    self.name = name
    self.household = household
  }
}

@Model final class Room {
  var name: String
  var household: Household

  init(name: String, household: Household) {
    self.name = name
    self.household = household
  }
}

@Model final class Lease {
  var number: Int
  var household: Household?

  init(number: Int, household: Household?) {
    self.number = number
    self.household = household
  }
}

@Model final class Doorbell {
  var tone: String
  var household: Household

  init(tone: String, household: Household) {
    self.tone = tone
    self.household = household
  }
}

/// Known only from the letter's side.
@Model final class Letter {
  var text: String
  var recipient: Pet

  init(text: String, recipient: Pet) {
    self.text = text
    self.recipient = recipient
  }
}

@Suite("Relationships that must lead to an object do so in every saved state")
struct RequiredRelationshipTests {
  private let context: ModelContext
  private let home = Household(name: "home")
  private let cat: Pet
  private let dog: Pet

  init() throws {
    context = ModelContext(
      try ModelContainer(
        for: Household.self, Letter.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    cat = Pet(name: "cat", household: home)
    dog = Pet(name: "dog", household: home)
    // The first of these reaches the household, which is then inserted behind it.
    for pet in [cat, dog] { context.insert(pet) }
    try context.save()
  }

  private func stored<Model: PersistentModel>(_ type: Model.Type) throws -> [Model] {
    try ModelContext(context.container).fetch(FetchDescriptor<Model>())
  }

  /// Saves, and expects a refusal in these words that leaves everything as it was.
  private func expectRefusal(_ message: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let before = try stored(Pet.self).map { "\($0.name) \($0.household.name)" }
    #expect(sourceLocation: sourceLocation) {
      try context.save()
    } throws: {
      "\($0)" == message
    }
    #expect(context.hasChanges, sourceLocation: sourceLocation)
    #expect(try stored(Pet.self).map { "\($0.name) \($0.household.name)" } == before, sourceLocation: sourceLocation)
  }

  @Test("Deleting the owner alone is refused with the rows in the way, and can be taken back or completed")
  func ownerAlone() throws {
    context.delete(home)
    let message = "Household row 1 cannot be deleted while Pet.household links it to rows 1, 2."
    try expectRefusal(message)
    context.delete(cat)
    try expectRefusal("Household row 1 cannot be deleted while Pet.household links it to row 2.")
    context.rollback()
    #expect(cat.household === home && !home.isDeleted)
    #expect(try context.fetchCount(FetchDescriptor<Pet>()) == 2)

    context.delete(home)
    try expectRefusal(message)
    for pet in [cat, dog] { context.delete(pet) }
    try context.save()
    #expect(try stored(Household.self).isEmpty && stored(Pet.self).isEmpty)
  }

  @Test(
    "The owner and its dependants are deleted together, in either order, whatever the rule", arguments: [true, false])
  func together(ownerFirst: Bool) throws {
    let lease = Lease(number: 1, household: home)
    let doorbell = Doorbell(tone: "ding", household: home)
    let letter = Letter(text: "miaow", recipient: cat)
    context.insert(lease)
    context.insert(doorbell)
    context.insert(letter)
    try context.save()
    if ownerFirst { context.delete(home) }
    context.delete(doorbell)
    context.delete(lease)
    for pet in [cat, dog] { context.delete(pet) }
    context.delete(letter)
    if !ownerFirst { context.delete(home) }
    try context.save()
    #expect(try stored(Household.self).isEmpty && stored(Pet.self).isEmpty && stored(Letter.self).isEmpty)
    #expect(try stored(Lease.self).isEmpty && stored(Doorbell.self).isEmpty)
  }

  @Test("Every delete rule of the owner is held to it", arguments: ["deny", "noAction", "no inverse"])
  func everyRule(rule: String) throws {
    switch rule {
    case "deny":
      let other = Household(name: "other")
      context.insert(Lease(number: 1, household: other))
      try context.save()
      context.delete(other)
      try expectRefusal("Household row 2 cannot be deleted while Household.leases links it to row 1.")
    case "noAction":
      let other = Household(name: "other")
      context.insert(Doorbell(tone: "ding", household: other))
      try context.save()
      context.delete(other)
      try expectRefusal("Household row 2 cannot be deleted while Doorbell.household links it to row 1.")
    default:
      context.insert(Letter(text: "miaow", recipient: dog))
      try context.save()
      context.delete(dog)
      try expectRefusal("Pet row 2 cannot be deleted while Letter.recipient links it to row 1.")
    }
  }

  @Test("A cascade takes the dependants along")
  func cascade() throws {
    let other = Household(name: "other")
    context.insert(Room(name: "kitchen", household: other))
    try context.save()
    context.delete(other)
    try context.save()
    #expect(try stored(Room.self).isEmpty && stored(Household.self).map(\.name) == ["home"])
  }

  @Test("Dependants that move let their owner go")
  func moving() throws {
    let other = Household(name: "other")
    other.pets = [cat]
    dog.household = other
    context.delete(home)
    try context.save()
    #expect(try stored(Household.self).map(\.name) == ["other"])
    #expect(try stored(Pet.self).map { $0.household.name } == ["other", "other"])
  }

  @Test("Members that are taken out need another owner")
  func takingOut() throws {
    home.pets = [dog]
    try expectRefusal("Pet row 1 has no destination for Pet.household, which is required.")
    home.pets = []
    try expectRefusal("Pet row 1 has no destination for Pet.household, which is required.")
    let other = Household(name: "other")
    other.pets = [dog]
    context.delete(cat)
    try context.save()
    #expect(try stored(Pet.self).map { "\($0.name) \($0.household.name)" } == ["dog other"])
  }

  @Test("A partner that is replaced needs another owner")
  func replacing() throws {
    let first = Doorbell(tone: "ding", household: home)
    let other = Household(name: "other")
    let second = Doorbell(tone: "dong", household: other)
    context.insert(first)
    context.insert(second)
    try context.save()
    home.doorbell = second
    try expectRefusal("Doorbell row 1 has no destination for Doorbell.household, which is required.")
    other.doorbell = first
    try context.save()
    #expect(try stored(Doorbell.self).map { "\($0.tone) \($0.household.name)" } == ["ding other", "dong home"])
  }

  @Test("A new or edited object whose owner is deleted is refused by the save")
  func newWithoutOwner() throws {
    let missing = "Pet.household must lead to an object, but leads to none."
    let other = Household(name: "other")
    let bird = Pet(name: "bird", household: other)
    context.insert(bird)
    context.delete(other)
    try expectRefusal(missing)
    bird.household = home
    try context.save()
    let third = Household(name: "third")
    context.insert(third)
    try context.save()
    bird.household = third
    context.delete(third)
    try expectRefusal("Household row 2 cannot be deleted while Pet.household links it to row 3.")
    context.delete(bird)
    try context.save()
    #expect(try stored(Household.self).map(\.name) == ["home"])
  }
}
