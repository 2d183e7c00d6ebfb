import TestSupport
import Testing

@testable import Records

/// Links of every cardinality are set from either end, and both ends agree.
@Suite struct LinkTests {
  private let office: Office

  init() throws {
    office = try Office()
  }

  /// Inserts rows of an entity and returns their numbers.
  private func people(_ count: Int) throws -> [RowNumber] {
    let ids = (0..<count).map { "p\($0)" }
    return try office.write { transaction in try ids.map { try transaction.insertPerson($0) } }
  }

  private func rows(_ entity: String, _ count: Int) throws -> [RowNumber] {
    try office.write { transaction in
      try (0..<count).map { number in
        try transaction.insert(entity) { builder, entity in
          var random = SplitMix64(seed: UInt64(number))
          for attribute in entity.attributes { builder.set(attribute.field, random.value(of: attribute.type)) }
          for attribute in entity.attributes where attribute.type == .string {
            builder.setString(attribute.field, "\(entity.name)\(number)")
          }
        }
      }
    }
  }

  private func members(_ entity: String, _ name: String, _ owner: RowNumber) throws -> [RowNumber] {
    try office.read { try $0.members(of: $0.relationship(entity, name), owner: owner) }
  }

  private func destination(_ entity: String, _ name: String, _ row: RowNumber) throws -> RowNumber? {
    try office.read { try $0.destination(of: $0.relationship(entity, name), row: row) }
  }

  @discardableResult
  private func set(_ entity: String, _ name: String, _ owner: RowNumber, _ members: [RowNumber]) throws -> Bool {
    try office.write { try !$0.setMembers(of: $0.relationship(entity, name), owner: owner, to: members).isEmpty }
  }

  private func setOne(_ entity: String, _ links: [String: RowNumber?], of row: RowNumber) throws {
    try office.write { transaction in
      _ = try transaction.edit(entity, row) { builder, entity in
        for (name, target) in links {
          builder.setRow(try #require(entity.relationship(named: name)?.field), target)
        }
      }
    }
  }

  private func expectSound(sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(try office.read { try $0.checkInvariants() } == [], sourceLocation: sourceLocation)
  }

  @Test func toOneAppearsAtTheToManyEndInOrderOfAssignment() throws {
    let people = try people(4)
    for report in [people[2], people[1], people[3]] { try setOne("Person", ["manager": people[0]], of: report) }
    #expect(try members("Person", "reports", people[0]) == [people[2], people[1], people[3]])
    try setOne("Person", ["manager": nil], of: people[1])
    #expect(try members("Person", "reports", people[0]) == [people[2], people[3]])
    try expectSound()
  }

  @Test func settingTheToManyEndMovesMembersAway() throws {
    let people = try people(5)
    try set("Person", "reports", people[0], [people[2], people[3]])
    try set("Person", "reports", people[1], [people[3], people[4]])
    #expect(try members("Person", "reports", people[0]) == [people[2]])
    #expect(try members("Person", "reports", people[1]) == [people[3], people[4]])
    #expect(try destination("Person", "manager", people[3]) == people[1])
    try expectSound()
  }

  @Test func orderIsKeptAndChangesWithOneWrite() throws {
    let people = try people(6)
    try set("Person", "friends", people[0], [people[3], people[1], people[2]])
    #expect(try members("Person", "friends", people[0]) == [people[3], people[1], people[2]])
    #expect(try !set("Person", "friends", people[0], [people[3], people[1], people[2]]))
    #expect(try set("Person", "friends", people[0], [people[1], people[3], people[2]]), "another order is a change")
    #expect(try members("Person", "friends", people[0]) == [people[1], people[3], people[2]])
    #expect(try set("Person", "friends", people[0], [people[4], people[3], people[3], people[0]]))
    #expect(try members("Person", "friends", people[0]) == [people[4], people[3], people[0]])
    #expect(try members("Person", "friendOf", people[3]) == [people[0]])
    #expect(try members("Person", "friendOf", people[0]) == [people[0]])
    #expect(try members("Person", "friendOf", people[1]) == [])
    try expectSound()
  }

  @Test func membersAreAddedBehindTheOthersAndRemovedAlone() throws {
    let people = try people(4)
    let teams = try rows("Team", 1)
    try set("Team", "members", teams[0], [people[2]])
    let (added, again, removed, absent) = try office.write { transaction in
      let members = try transaction.relationship("Team", "members")
      return (
        try transaction.insertMembers([people[0], people[2], people[1]], of: members, owner: teams[0]),
        try transaction.insertMembers([people[0]], of: members, owner: teams[0]),
        try transaction.removeMembers([people[2], people[3]], of: members, owner: teams[0]),
        try transaction.removeMembers([people[3]], of: members, owner: teams[0])
      )
    }
    #expect(added && !again && removed && !absent)
    #expect(try members("Team", "members", teams[0]) == [people[0], people[1]])
    #expect(try members("Person", "teams", people[0]) == [teams[0]])
    try expectSound()
  }

  @Test func oneToOneLeavesPreviousPartnersWithout() throws {
    let people = try people(4)
    try setOne("Person", ["spouse": people[2]], of: people[0])
    try setOne("Person", ["spouseOf": people[1]], of: people[3])
    #expect(try destination("Person", "spouseOf", people[2]) == people[0])
    #expect(try destination("Person", "spouse", people[1]) == people[3])
    try setOne("Person", ["spouse": people[3]], of: people[0])
    #expect(try destination("Person", "spouseOf", people[2]) == nil)
    #expect(try destination("Person", "spouse", people[1]) == nil)
    #expect(try destination("Person", "spouseOf", people[3]) == people[0])
    try expectSound()
  }

  @Test func contradictingOneToOneLinksOfOneRowEndConsistent() throws {
    let people = try people(3)
    try setOne("Person", ["spouse": people[1]], of: people[0])
    try setOne("Person", ["spouse": people[0], "spouseOf": people[2]], of: people[0])
    #expect(try destination("Person", "spouseOf", people[1]) == nil)
    try expectSound()
  }

  @Test func builderIsLeftAsItWasFilled() throws {
    let other = try people(1)[0]
    let (inserted, updated) = try office.write { transaction in
      let person = try transaction.entity("Person")
      let field = try #require(person.relationship(named: "spouse")?.field)
      var builder = RecordBuilder(person.layout)
      builder.setString(0, "another")
      builder.setRow(field, other)
      let row = try transaction.insert(&builder, into: person)
      let inserted = builder.row(field)
      builder.setRow(field, nil)
      _ = try transaction.update(row, of: person, with: &builder)
      builder.setRow(field, other)
      _ = try transaction.update(row, of: person, with: &builder)
      return (inserted, builder.row(field))
    }
    #expect(inserted == other)
    #expect(updated == other)
    try expectSound()
  }

  @Test func oneSidedLinksGoWithTheRowTheyLeadTo() throws {
    let people = try people(2)
    let teams = try rows("Team", 2)
    try setOne("Person", ["mentor": people[1]], of: people[0])
    try set("Person", "favourites", people[0], [teams[1], teams[0]])
    try office.write { transaction in
      _ = try transaction.delete(people[1], of: transaction.entity("Person"))
      _ = try transaction.delete(teams[1], of: transaction.entity("Team"))
    }
    #expect(try destination("Person", "mentor", people[0]) == nil)
    #expect(try members("Person", "favourites", people[0]) == [teams[0]])
    try expectSound()
  }

  @Test(arguments: ["mentor", "badge", "teams", "reports"])
  func linkToNowhereIsRefused(relationship: String) throws {
    let person = try people(1)[0]
    let nowhere = RowNumber(rawValue: 99)
    let destination = try office.read { try $0.relationship("Person", relationship).description.destination }
    #expect(throws: RecordError.noSuchRow(entity: destination, row: nowhere)) {
      if try office.read({ try $0.relationship("Person", relationship).isToMany }) {
        try set("Person", relationship, person, [nowhere])
      } else {
        try setOne("Person", [relationship: nowhere], of: person)
      }
    }
    try expectSound()
  }

  @Test func membersOfARowThatDoesNotExistAreRefused() throws {
    let person = try people(1)[0]
    #expect(throws: RecordError.noSuchRow(entity: "Team", row: RowNumber(rawValue: 5))) {
      try set("Team", "members", RowNumber(rawValue: 5), [person])
    }
  }

  @Test func cardinalitiesAreNotMixedUp() throws {
    let person = try people(1)[0]
    #expect(throws: RecordError.wrongCardinality(relationship: "Person.mentor")) {
      try set("Person", "mentor", person, [])
    }
    #expect(throws: RecordError.wrongCardinality(relationship: "Person.mentor")) {
      try members("Person", "mentor", person)
    }
    #expect(throws: RecordError.wrongCardinality(relationship: "Person.teams")) {
      try destination("Person", "teams", person)
    }
  }

  @Test func manyMembersOfOneOwner() throws {
    let people = try people(300)
    let team = try rows("Team", 1)[0]
    var random = SplitMix64(seed: 1)
    for _ in 0..<5 {
      let wanted = Array(people.shuffled(using: &random).prefix(200))
      try set("Team", "members", team, wanted + wanted.prefix(10))
      #expect(try members("Team", "members", team) == wanted)
    }
    try expectSound()
  }
}
