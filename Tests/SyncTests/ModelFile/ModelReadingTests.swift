import Foundation
import Testing

@testable import Sync

@Suite("CD-9.1 What the elements of a model file say")
struct ModelReadingTests {
  private let shop = """
    <entity name="Order" representedClassName="Order" syncable="YES" codeGenerationType="class">
      <attribute name="number" optional="YES" attributeType="Integer 64" usesScalarValueType="NO" syncable="YES">
        <userInfo>
          <entry key="sync.isPrimaryKey" value="YES"/>
          <entry key="com.example.note" value="any"/>
        </userInfo>
      </attribute>
      <attribute name="placed" attributeType="Date" defaultDateTimeInterval="86400" usesScalarValueType="NO"/>
      <attribute name="code" optional="YES" attributeType="String" minValueString="2" maxValueString="8"
          regularExpressionString="[A-Z]+" defaultValueString="NEW"/>
      <attribute name="scan" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
      <attribute name="colour" optional="YES" attributeType="Transformable" valueTransformerName="ColourTransformer"/>
      <attribute name="sum" optional="YES" transient="YES" attributeType="Double" defaultValueString="0.0"/>
      <relationship name="lines" optional="YES" toMany="YES" minCount="1" maxCount="50" ordered="YES"
          deletionRule="Cascade" destinationEntity="Line" inverseName="order" inverseEntity="Line" syncable="YES"/>
      <relationship name="customer" maxCount="1" deletionRule="Deny" destinationEntity="Customer"
          inverseName="orders" inverseEntity="Customer" elementID="buyer"/>
      <uniquenessConstraints>
        <uniquenessConstraint><constraint value="code"/><constraint value="placed"/></uniquenessConstraint>
      </uniquenessConstraints>
      <fetchIndex name="byPlaced"><fetchIndexElement property="placed" type="Binary" order="ascending"/></fetchIndex>
      <userInfo><entry key="key" value="value"/></userInfo>
    </entity>
    <entity name="Line" elementID="OrderLine">
      <attribute name="id" optional="YES" attributeType="Integer 32" elementID="lineID" indexed="YES"/>
      <relationship name="order" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Order"
          inverseName="lines" inverseEntity="Order"/>
    </entity>
    <entity name="Customer" parentEntity="Person">
      <relationship name="orders" optional="YES" toMany="YES" deletionRule="No Action" destinationEntity="Order"
          inverseName="customer" inverseEntity="Order"/>
      <relationship name="favourites" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Line"/>
    </entity>
    <entity name="Person" isAbstract="YES">
      <attribute name="id" optional="YES" attributeType="UUID"/>
    </entity>
    <elements><element name="Order" positionX="-63" positionY="18" width="128" height="104"/></elements>
    """

  /// The same model, written down in Swift.
  private func builtShop() throws -> ManagedObjectModel {
    try ManagedObjectModel {
      EntityDescription(
        "Order", uniquenessConstraints: [["code", "placed"]], indexes: [["placed"]], userInfo: ["key": "value"]
      ) {
        AttributeDescription("number", .integer64, userInfo: ["sync.isPrimaryKey": "YES", "com.example.note": "any"])
        AttributeDescription(
          "placed", .date, isOptional: false, default: .date(Date(timeIntervalSinceReferenceDate: 86400)))
        AttributeDescription("code", .string, default: "NEW", minimum: 2, maximum: 8, regularExpression: "[A-Z]+")
        AttributeDescription("scan", .binaryData, allowsExternalStorage: true)
        AttributeDescription("colour", .transformable, valueTransformerName: "ColourTransformer")
        AttributeDescription("sum", .double, isTransient: true, default: 0.0)
        RelationshipDescription.toMany(
          "lines", "Line", inverse: "order", isOrdered: true, minCount: 1, maxCount: 50, deleteRule: .cascade)
        RelationshipDescription.toOne(
          "customer", "Customer", inverse: "orders", isOptional: false, deleteRule: .deny, renamingIdentifier: "buyer")
      }
      EntityDescription("Line", renamingIdentifier: "OrderLine") {
        AttributeDescription("id", .integer32, isIndexed: true, renamingIdentifier: "lineID")
        RelationshipDescription.toOne("order", "Order", inverse: "lines")
      }
      EntityDescription("Customer", parent: "Person") {
        RelationshipDescription.toMany("orders", "Order", inverse: "customer", deleteRule: .noAction)
        RelationshipDescription.toMany("favourites", "Line")
      }
      EntityDescription("Person", isAbstract: true) { AttributeDescription("id", .uuid) }
    }
  }

  @Test("CD-9.1 A file and the same model in Swift are equal")
  func fileAndSwiftAreEqual() throws {
    let read = try model(shop)
    #expect(try read == builtShop())
    #expect(read.omissions.isEmpty)
    let customer = try #require(read.entity(named: "Customer"))
    #expect(customer.attributes.map(\.name) == ["id"])
    #expect(customer.attributes.map(\.entityName) == ["Person"])
    #expect(customer.ancestors == ["Person"])
    #expect(read.entity(named: "Person")?.subentities == ["Customer"])
    #expect(read.family(of: "Person") == ["Customer", "Person"])
  }

  @Test(
    "CD-9.2 Every type, with a default that is read as its type",
    arguments: [
      ("Integer 16", "-12", AttributeDescription.AttributeType.integer16, AttributeValue.integer(-12)),
      ("Integer 32", "70000", .integer32, 70000),
      ("Integer 64", "9007199254740993", .integer64, 9_007_199_254_740_993),
      ("Decimal", "12.25", .decimal, .decimal(Decimal(string: "12.25") ?? 0)),
      ("Double", "0.5", .double, 0.5), ("Float", "0.5", .float, 0.5), ("String", "a b", .string, "a b"),
      ("String", "", .string, ""), ("Boolean", "YES", .boolean, true), ("Boolean", "NO", .boolean, false),
      (
        "UUID", "00000000-0000-0000-0000-000000000001", .uuid,
        .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)))
      ),
      ("URI", "https://example.com/a", .uri, .url("https://example.com/a")),
    ])
  func typesAndDefaults(
    name: String, text: String, type: AttributeDescription.AttributeType, value: AttributeValue
  ) throws {
    let read = try model(
      "<entity name=\"A\"><attribute name=\"a\" attributeType=\"\(name)\" defaultValueString=\"\(text)\"/></entity>")
    let attribute = try #require(read.entity(named: "A")?.attribute(named: "a"))
    #expect(attribute.type == type)
    #expect(attribute.defaultValue == value)
    #expect(!attribute.isOptional)
  }

  @Test("CD-9.2 A number without a default starts without a value, and so does one whose default is empty")
  func numbersWithoutDefault() throws {
    let read = try model(
      """
      <entity name="A">
        <attribute name="a" attributeType="Integer 16"/>
        <attribute name="b" attributeType="Double" defaultValueString=""/>
      </entity>
      """)
    #expect(read.entities[0].attributes.map(\.defaultValue) == [nil, nil])
  }

  @Test("CD-9.1 What is unknown is skipped")
  func unknownElements() throws {
    let read = try model(
      "<novelty/><entity name=\"A\" hue=\"9\"><novelty><attribute/></novelty><attribute name=\"a\" attributeType=\"Date\" x=\"y\"/></entity>"
    )
    #expect(read.entities.map(\.name) == ["A"])
    #expect(read.entities[0].attributes.map(\.name) == ["a"])
  }

  @Test("CD-9.1 Comments, references to characters and both kinds of quotation marks are XML")
  func notation() throws {
    let text =
      "\u{FEFF}<?xml version='1.0'?>\n<!-- a > b -->\n<model><![CDATA[<entity/>]]>"
      + "<entity name = 'A&#x42;&#67;'\n><userInfo><entry key='&lt;&amp;&gt;&quot;&apos;' value='a\nb'/></userInfo></entity ></model>\n"
    let read = try ManagedObjectModel(xml: Data(text.utf8), path: "contents")
    #expect(read.entities.map(\.name) == ["ABC"])
    #expect(read.entities[0].userInfo == ["<&>\"'": "a b"])
  }

  @Test("CD-9.3 What has no effect here is listed, with its line")
  func omissions() throws {
    let read = try model(
      """
      <entity name="A">
        <attribute name="a" attributeType="String"/>
        <fetchedProperty name="recent"><fetchRequest name="r" entity="A"/></fetchedProperty>
        <fetchIndex name="byLength"><fetchIndexElement expression="a.length" expressionType="Integer 64"/></fetchIndex>
      </entity>
      <fetchRequest name="all" entity="A"/>
      <configuration name="Cloud"><memberEntity name="A"/></configuration>
      """)
    #expect(read.omissions.map(\.line) == [5, 6, 8, 9])
    #expect(read.omissions[0].description == "The fetched property A.recent is left out: write the fetch in code.")
  }
}
