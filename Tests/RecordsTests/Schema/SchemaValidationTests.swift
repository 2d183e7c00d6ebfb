import Testing

@testable import Records

/// A schema that is wrong by itself is refused with an error that names the place.
@Suite struct SchemaValidationTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var entities: [EntityDescription]
    var error: SchemaError

    var testDescription: String { error.description }
  }

  private static func entity(
    _ name: String, attributes: [String] = ["id"], _ relationships: [RelationshipDescription] = [],
    identity: String? = nil, unique: [[String]] = [], indexes: [[String]] = []
  ) -> EntityDescription {
    EntityDescription(
      name: name, attributes: attributes.map { AttributeDescription(name: $0, type: .string) },
      relationships: relationships, identity: identity, uniquenessConstraints: unique, indexes: indexes)
  }

  private static func link(_ name: String, to destination: String, inverse: String? = nil) -> RelationshipDescription {
    RelationshipDescription(name: name, destination: destination, isToMany: true, inverse: inverse)
  }

  static let cases: [Case] = [
    Case(entities: [entity("A"), entity("B"), entity("A")], error: .duplicateEntity("A")),
    Case(
      entities: [entity("A", attributes: ["x", "y", "x"])], error: .duplicateProperty(entity: "A", property: "x")),
    Case(
      entities: [entity("A", attributes: ["x"], [link("x", to: "A")])],
      error: .duplicateProperty(entity: "A", property: "x")),
    Case(
      entities: [entity("A", attributes: (0..<257).map { "p\($0)" })],
      error: .tooManyProperties(entity: "A", count: 257, max: 256)),
    Case(entities: [entity("A", identity: "key")], error: .unknownIdentity(entity: "A", attribute: "key")),
    Case(
      entities: [entity("A", unique: [["id", "y"]])], error: .unknownConstraintAttribute(entity: "A", attribute: "y")),
    Case(
      entities: [entity("A", [link("r", to: "A")], indexes: [["r"]])],
      error: .unknownConstraintAttribute(entity: "A", attribute: "r")),
    Case(entities: [entity("A", indexes: [[]])], error: .emptyConstraint(entity: "A")),
    Case(
      entities: [entity("A", [link("r", to: "B")])],
      error: .unknownDestination(entity: "A", relationship: "r", destination: "B")),
    Case(
      entities: [entity("A", [link("r", to: "B", inverse: "s")]), entity("B")],
      error: .unknownInverse(entity: "A", relationship: "r", destination: "B", inverse: "s")),
    Case(
      entities: [entity("A", [link("r", to: "B", inverse: "s")]), entity("B", [link("s", to: "B")])],
      error: .inverseDoesNotPointBack(entity: "A", relationship: "r", destination: "B", inverse: "s")),
    Case(
      entities: [
        entity("A", [link("r", to: "B", inverse: "s"), link("q", to: "B")]),
        entity("B", [link("s", to: "A", inverse: "q")]),
      ],
      error: .inverseDoesNotPointBack(entity: "A", relationship: "r", destination: "B", inverse: "s")),
    // Two relationships cannot have one inverse.
    Case(
      entities: [
        entity("A", [link("r", to: "B", inverse: "s"), link("q", to: "B", inverse: "s")]),
        entity("B", [link("s", to: "A")]),
      ],
      error: .inverseDoesNotPointBack(entity: "A", relationship: "q", destination: "B", inverse: "s")),
    Case(
      entities: [entity("A", [link("r", to: "A", inverse: "r")])], error: .ownInverse(entity: "A", relationship: "r")),
  ]

  @Test(arguments: cases)
  func wrongSchemaIsRefused(example: Case) throws {
    #expect(throws: example.error) { try Catalog(StoreSchema(entities: example.entities)) }
    #expect(throws: example.error) { try RecordStore.temporary(schema: StoreSchema(entities: example.entities)) }
  }

  @Test func inverseDeclaredAtOneEndPairsBoth() throws {
    let catalog = try Catalog(
      StoreSchema(entities: [
        Self.entity("A", [Self.link("r", to: "B", inverse: "s")]), Self.entity("B", [Self.link("s", to: "A")]),
      ]))
    let there = try #require(catalog.entity(named: "A")?.relationship(named: "r"))
    let back = try #require(catalog.entity(named: "B")?.relationship(named: "s"))
    #expect(there.inverse == back.id)
    #expect(back.inverse == there.id)
  }

  @Test func implicitInversesAreToManyAndBelongToTheDestination() throws {
    let catalog = try Catalog(.office)
    let person = try #require(catalog.entity(named: "Person"))
    let team = try #require(catalog.entity(named: "Team"))
    let favourites = try #require(person.relationship(named: "favourites"))
    let inverse = try #require(team.directions.first { $0.id == favourites.inverse })
    #expect(inverse.isToMany)
    #expect(inverse.propertyIndex == nil)
    #expect(!team.relationships.contains { $0.id == favourites.inverse })
  }

  @Test func identityIsIndexedAndUniqueOnlyWhereTheSchemaSaysSo() throws {
    let catalog = try Catalog(.office)
    #expect(try #require(catalog.entity(named: "Person")?.identityIndex).isUnique)
    #expect(try #require(catalog.entity(named: "Task")?.identityIndex).isUnique == false)
    #expect(catalog.entity(named: "Project")?.identityIndex == nil)
  }

  @Test func propertiesAreNumberedAttributesFirst() throws {
    let person = try #require(try Catalog(.office).entity(named: "Person"))
    #expect(person.attributes.map(\.propertyIndex) == [0, 1, 2, 3])
    #expect(person.relationships.map(\.propertyIndex) == Array(4..<15))
  }
}
