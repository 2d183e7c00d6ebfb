import Testing

@testable import Sync

@Suite("A fetch finds stored and unsaved objects, in order")
struct ObjectFetchTests {
  /// Five saved people with ids 1 to 5 and ages 10, 20, 20, 30, nil, the odd ones led by the first.
  private func context() throws -> ManagedObjectContext {
    let context = try Shop.stack().newBackgroundContext()
    var people: [ManagedObject] = []
    for (id, age) in [(1, 10), (2, 20), (3, 20), (4, 30), (5, nil as Int?)] {
      let person = try context.make("Person", ["id": id, "name": "p\(id)"])
      person["age"] = age
      people.append(person)
    }
    for person in [people[2], people[4]] { person["boss"] = people[0] }
    try context.save()
    return context
  }

  private func request(_ predicate: ObjectPredicate? = nil, _ sorts: ObjectSort...) -> FetchRequest {
    FetchRequest(entityName: "Person", predicate: predicate, sortDescriptors: sorts)
  }

  private func ids(_ context: ManagedObjectContext, _ request: FetchRequest) throws -> [Int?] {
    try context.fetch(request).map { try $0.value("id") }
  }

  @Test("Predicates, orders, offsets and limits", arguments: [false, true])
  func requests(withUnsaved: Bool) throws {
    let context = try context()
    if withUnsaved {
      // The same objects, of which some are new, some edited and some deleted.
      let people = try context.all("Person")
      context.delete(people[3])
      try context.make("Person", ["id": 4, "name": "p4", "age": 30])
      people[1]["name"] = "p2"
      context.delete(try context.make("Person", ["id": 7]))
    }
    var window = request(nil, ObjectSort("id", ascending: false))
    window.fetchOffset = 1
    window.fetchLimit = 2
    var beyond = request(nil, ObjectSort("id"))
    beyond.fetchOffset = 9
    var none = request()
    none.fetchLimit = 0
    let cases: [(FetchRequest, [Int?])] = [
      (request(nil, ObjectSort("id")), [1, 2, 3, 4, 5]),
      (request(Key("age") == 20, ObjectSort("id")), [2, 3]),
      (request(Key("age") != 20, ObjectSort("id")), [1, 4, 5]),
      (request(Key("age") > 10 && !(Key("name") == "p2"), ObjectSort("id")), [3, 4]),
      (request(Key("age") == Optional<Int>.none), [5]),
      (request(Key("boss.name") == "p1", ObjectSort("id")), [3, 5]),
      (request(Key("staff.age").any == 20), [1]),
      (request(Key("staff").count > 1), [1]),
      (
        request(Key("name").contains("P", .caseInsensitive), ObjectSort("age"), ObjectSort("id", ascending: false)),
        [5, 1, 3, 2, 4]
      ),
      (request(nil, ObjectSort("boss.id", ascending: false), ObjectSort("id")), [3, 5, 1, 2, 4]),
      (window, [4, 3]), (beyond, []), (none, []),
    ]
    for (request, expected) in cases {
      #expect(try ids(context, request) == expected, "\(request)")
      #expect(try context.count(for: request) == expected.count, "\(request)")
    }
  }

  @Test("Unsaved objects are judged by what they show, and left out where only the store counts")
  func unsaved() throws {
    let context = try context()
    let people = try context.all("Person")
    people[0]["age"] = 99
    people[1]["boss"] = people[3]
    context.delete(people[2])
    let new = try context.make("Person", ["id": 6, "age": 99, "boss": people[3]])
    #expect(try ids(context, request(Key("age") == 99, ObjectSort("id"))) == [1, 6])
    #expect(try ids(context, request(Key("age") == 10)) == [])
    #expect(try ids(context, request(Key("boss") == people[3], ObjectSort("id"))) == [2, 6])
    #expect(try ids(context, request(Key("staff").contains(new))) == [4])
    #expect(try ids(context, request(Key("staff").count == 1)) == [1])
    var stored = request(Key("age") == 10)
    stored.includesPendingChanges = false
    #expect(try ids(context, stored) == [1])
    #expect(try context.count(for: stored) == 1)
    try context.save()
    #expect(try ids(context, request(Key("staff").contains(new))) == [4])
  }

  @Test("CD-2.8 Objects of sub-entities are found where those of an entity are asked for", arguments: [true, false])
  func inheritance(saved: Bool) throws {
    let stack = try Shop.stack()
    let context = stack.newBackgroundContext()
    try context.make("Racer", ["id": 1, "speed": 300, "team": "red"])
    try context.make("Car", ["id": 2, "speed": 100])
    try context.make("Boat", ["id": 3, "speed": 20, "sails": 2])
    if saved { try context.save() }
    #expect(try context.all("Vehicle", by: "speed").map(\.entity.name) == ["Boat", "Car", "Racer"])
    #expect(try context.ids("Car") == [1, 2])
    var own = FetchRequest(entityName: "Car")
    own.includesSubentities = false
    #expect(try context.fetch(own).map(\.entity.name) == ["Car"])
    var fast = FetchRequest(
      entityName: "Vehicle", predicate: Key("speed") > 50, sortDescriptors: [ObjectSort("speed", ascending: false)])
    #expect(try ids(context, fast) == [1, 2])
    fast.fetchLimit = 1
    #expect(try ids(context, fast) == [1])
    #expect(try context.count(for: fast) == 1)
    #expect(try context.all("Boat").first?.value("sails") == 2)
    #expect(throws: ManagedObjectError.abstractEntity("Vehicle")) { try context.make("Vehicle") }
  }

  @Test("What can't be asked is said, and nothing is found instead")
  func mistakes() throws {
    let context = try context()
    #expect(throws: ManagedObjectError.unknownEntity("Nobody")) {
      try context.fetch(FetchRequest(entityName: "Nobody"))
    }
    #expect(throws: ObjectPredicateError.unknownProperty(entity: "Person", property: "nose", path: "nose")) {
      try context.fetch(request(Key("nose") == 1))
    }
    #expect(throws: ObjectPredicateError.severalValues(path: "staff.age")) {
      try context.fetch(request(nil, ObjectSort("staff.age")))
    }
    #expect(throws: ObjectPredicateError.self) { try context.fetch(request(nil, ObjectSort("nose"))) }
  }
}
