import Records
import Testing

@testable import StoreTool

/// Names of a store are whatever its application has made them.
@Suite("Names in schemas as code and diagrams")
struct SchemaNameTests {
  private let schema = StoreSchema(entities: [
    EntityDescription(
      name: "class", attributes: [AttributeDescription(name: "2 \"b\"\\", type: .string, remoteKey: "a\"\n")],
      relationships: [RelationshipDescription(name: "x`|{y}", destination: "class", isToMany: true)])
  ])

  @Test("Swift puts what is no name between backticks, and texts between quotes")
  func swift() {
    #expect(
      SwiftCode(schema).lines == [
        "import SwiftSync", "", "@Model final class `class` {", #"  @RemoteKey("a\"\n") var `2 "b"`: String"#,
        "  var `x|{y}`: [`class`]", "", #"  init(`2 "b"`: String) {"#, #"    self.`2 "b"` = `2 "b"`"#,
        "    self.`x|{y}` = []", "  }", "}",
      ])
  }

  @Test("Mermaid has letters, digits, dashes and underscores")
  func mermaid() {
    #expect(
      MermaidDiagram(schema).lines == [
        "erDiagram", "  class {", "    string _2__b__", "  }", #"  class }o--o{ class : "x`|{y}""#,
      ])
  }

  @Test("Graphviz has signs that mean something behind a backslash")
  func dot() {
    #expect(
      DotDiagram(schema).lines.dropFirst(2) == [
        #"  "class" [label="{class|2\ \"b\"\\: string\l}"];"#,
        #"  "class" -> "class" [label="x`|{y}", dir=both, arrowhead=crow, arrowtail=none];"#, "}",
      ])
  }
}
