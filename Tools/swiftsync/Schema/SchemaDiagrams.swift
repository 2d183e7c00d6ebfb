import Records

/// A relationship with its inverse, if it has one: a line of a diagram.
private struct DiagramLine {
  let from: EntityDescription
  let relationship: RelationshipDescription
  let inverse: RelationshipDescription?

  /// Every relationship of a schema once, from the end that comes first.
  static func all(of schema: StoreSchema) -> [DiagramLine] {
    var drawn: Set<[String]> = []
    var lines: [DiagramLine] = []
    for entity in schema.entities {
      for relationship in entity.relationships where !drawn.contains([entity.name, relationship.name]) {
        let far = schema.entities.first { $0.name == relationship.destination }
        let inverse = far?.relationships.first { $0.name == relationship.inverse }
        if let far, let inverse { drawn.insert([far.name, inverse.name]) }
        lines.append(DiagramLine(from: entity, relationship: relationship, inverse: inverse))
      }
    }
    return lines
  }

  var names: String { relationship.name + (inverse.map { $0.name == relationship.name ? "" : " / \($0.name)" } ?? "") }
}

/// A schema for Mermaid, which web pages and repositories draw.
struct MermaidDiagram {
  let lines: [String]

  init(_ schema: StoreSchema) {
    var lines = ["erDiagram"]
    for entity in schema.entities {
      lines.append("  \(Self.name(entity.name)) {")
      for attribute in entity.attributes {
        let key = attribute.name == entity.identity ? " PK" : attribute.options.contains(.unique) ? " UK" : ""
        lines.append("    \(attribute.type.rawValue) \(Self.name(attribute.name))\(key)")
      }
      lines.append("  }")
    }
    for line in DiagramLine.all(of: schema) {
      let near =
        line.inverse.map { $0.isToMany ? "}o" : $0.isOptional ? "|o" : "||" } ?? "}o"
      let far = line.relationship.isToMany ? "o{" : line.relationship.isOptional ? "o|" : "||"
      let text = line.names.replacing("\"", with: "'")
      lines.append(
        "  \(Self.name(line.from.name)) \(near)--\(far) \(Self.name(line.relationship.destination)) : \"\(text)\"")
    }
    self.lines = lines
  }

  /// Names there are of letters, digits, dashes and underscores.
  private static func name(_ name: String) -> String {
    let safe = String(name.map { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" ? $0 : "_" })
    return safe.first?.isLetter == true ? safe : "_\(safe)"
  }
}

/// A schema for Graphviz.
struct DotDiagram {
  let lines: [String]

  init(_ schema: StoreSchema) {
    var lines = ["digraph schema {", "  node [shape=record, fontname=\"sans-serif\"];"]
    for entity in schema.entities {
      let attributes = entity.attributes.map { attribute in
        let mark = attribute.isOptional ? "?" : ""
        let key = attribute.name == entity.identity ? " (identity)" : ""
        return "\(Self.escaped(attribute.name)): \(attribute.type.rawValue)\(mark)\(key)\\l"
      }
      let label = "{\(Self.escaped(entity.name))|\(attributes.joined())}"
      lines.append("  \(Self.quoted(entity.name)) [label=\"\(label)\"];")
    }
    for line in DiagramLine.all(of: schema) {
      let head = line.relationship.isToMany ? "crow" : "none"
      let tail = line.inverse.map { $0.isToMany ? "crow" : "none" } ?? "none"
      lines.append(
        "  \(Self.quoted(line.from.name)) -> \(Self.quoted(line.relationship.destination)) "
          + "[label=\(Self.quoted(line.names)), dir=both, arrowhead=\(head), arrowtail=\(tail)];")
    }
    self.lines = lines + ["}"]
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  /// Inside of a record's label more signs mean something.
  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      if "\\\"{}|<> ".contains(character) { result.append("\\") }
      result.append(character)
    }
  }
}
