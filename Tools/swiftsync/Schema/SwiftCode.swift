import Records

/// A schema as the classes of an application that can open the store.
///
/// What no schema says, the application has to put in: the types of values that are kept as JSON, and enums.
struct SwiftCode {
  private let schema: StoreSchema

  init(_ schema: StoreSchema) {
    self.schema = schema
  }

  var lines: [String] {
    ["import SwiftSync"] + schema.entities.flatMap { [""] + lines(of: $0) }
  }

  private func lines(of entity: EntityDescription) -> [String] {
    let name = Self.identifier(entity.name)
    let syncable = entity.identity == nil ? "" : "@Syncable "
    var lines = ["\(syncable)@Model final class \(name) {"]
    let attributesByName = Set(entity.attributes.filter { $0.options.contains(.unique) }.map { [$0.name] })
    let constraints = entity.uniquenessConstraints.filter { !attributesByName.contains($0) }
    if !constraints.isEmpty { lines.append("  #Unique<\(name)>(\(Self.keyPaths(constraints)))") }
    if !entity.indexes.isEmpty { lines.append("  #Index<\(name)>(\(Self.keyPaths(entity.indexes)))") }
    if lines.count > 1 { lines.append("") }
    for attribute in entity.attributes { lines.append("  " + declaration(of: attribute, in: entity)) }
    for relationship in entity.relationships { lines.append("  " + declaration(of: relationship, in: entity)) }
    return lines + [""] + initializer(of: entity) + ["}"]
  }

  private func declaration(of attribute: AttributeDescription, in entity: EntityDescription) -> String {
    var words: [String] = []
    if attribute.name == entity.identity, attribute.name != "id" || entity.identityRemoteKey != nil {
      words.append("@PrimaryKey" + (entity.identityRemoteKey.map { "(remote: \(Self.literal($0)))" } ?? ""))
    }
    var arguments: [String] = []
    if attribute.options.contains(.unique) { arguments.append(".unique") }
    if attribute.options.contains(.preserveValueOnDeletion) { arguments.append(".preserveValueOnDeletion") }
    if attribute.options.contains(.externalStorage) { arguments.append(".externalStorage") }
    if let name = attribute.originalName { arguments.append("originalName: \(Self.literal(name))") }
    if !arguments.isEmpty { words.append("@Attribute(\(arguments.joined(separator: ", ")))") }
    words += Self.keys(attribute.remoteKey, isExported: attribute.isExported)
    let mark = attribute.isOptional ? "?" : ""
    words.append("var \(Self.identifier(attribute.name)): \(Self.type(of: attribute))\(mark)")
    if attribute.type == .composite { words.append(" // or a Codable type of yours") }
    return words.joined(separator: " ")
  }

  private func declaration(of relationship: RelationshipDescription, in entity: EntityDescription) -> String {
    var arguments: [String] = []
    if relationship.deleteRule != .nullify { arguments.append("deleteRule: .\(relationship.deleteRule.rawValue)") }
    if let name = relationship.originalName { arguments.append("originalName: \(Self.literal(name))") }
    let destination = Self.identifier(relationship.destination)
    if let inverse = relationship.inverse, namesInverse(relationship, of: entity) {
      arguments.append("inverse: \\\(destination).\(Self.identifier(inverse))")
    }
    var words: [String] = []
    if !arguments.isEmpty { words.append("@Relationship(\(arguments.joined(separator: ", ")))") }
    words += Self.keys(relationship.remoteKey, isExported: relationship.isExported)
    let type = relationship.isToMany ? "[\(destination)]" : destination + (relationship.isOptional ? "?" : "")
    words.append("var \(Self.identifier(relationship.name)): \(type)")
    return words.joined(separator: " ")
  }

  /// Whether a relationship is the end at which the inverse is named: the first of the two.
  private func namesInverse(_ relationship: RelationshipDescription, of entity: EntityDescription) -> Bool {
    let ends = schema.entities.flatMap { entity in entity.relationships.map { [entity.name, $0.name] } }
    let far = ends.firstIndex(of: [relationship.destination, relationship.inverse ?? ""]) ?? ends.count
    return ends.firstIndex(of: [entity.name, relationship.name]) ?? 0 <= far
  }

  /// An initializer that asks for everything that has to be there.
  private func initializer(of entity: EntityDescription) -> [String] {
    var required = entity.attributes.filter { !$0.isOptional }.map { (Self.identifier($0.name), Self.type(of: $0)) }
    required += entity.relationships.filter { !$0.isToMany && !$0.isOptional }.map {
      (Self.identifier($0.name), Self.identifier($0.destination))
    }
    let parameters = required.map { "\($0.0): \($0.1)" }.joined(separator: ", ")
    if required.isEmpty, !entity.relationships.contains(where: \.isToMany) { return ["  init() {}"] }
    let lists = entity.relationships.filter(\.isToMany).map { "    self.\(Self.identifier($0.name)) = []" }
    return ["  init(\(parameters)) {"] + required.map { "    self.\($0.0) = \($0.0)" } + lists + ["  }"]
  }

  private static func keys(_ remoteKey: String?, isExported: Bool) -> [String] {
    (remoteKey.map { ["@RemoteKey(\(literal($0)))"] } ?? []) + (isExported ? [] : ["@NotExport"])
  }

  private static func keyPaths(_ lists: [[String]]) -> String {
    lists.map { "[" + $0.map { "\\.\(identifier($0))" }.joined(separator: ", ") + "]" }.joined(separator: ", ")
  }

  private static func type(of attribute: AttributeDescription) -> String {
    switch attribute.type {
    case .bool: "Bool"
    case .int8: "Int8"
    case .int16: "Int16"
    case .int32: "Int32"
    case .int64: "Int"
    case .uint8: "UInt8"
    case .uint16: "UInt16"
    case .uint32: "UInt32"
    case .uint64: "UInt"
    case .float: "Float"
    case .double: "Double"
    case .decimal: "Decimal"
    case .string: "String"
    case .date: "Date"
    case .uuid: "UUID"
    case .url: "URL"
    case .data: "Data"
    case .composite: "[String: String]"
    }
  }

  private static func literal(_ text: String) -> String { String(reflecting: text) }

  /// A name as code: what is no name there is put between backticks, without the signs that these may not have in them.
  private static func identifier(_ name: String) -> String {
    let isPlain = !name.isEmpty && name.utf8.allSatisfy(\.isNamePart) && name.utf8.first?.isDigit == false
    if isPlain, !keywords.contains(name) { return name }
    let allowed = name.unicodeScalars.filter { $0 != "`" && $0 != "\\" && $0.properties.generalCategory != .control }
    return "`\(String(String.UnicodeScalarView(allowed)))`"
  }

  private static let keywords: Set = [
    "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do", "else",
    "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "init",
    "inout", "internal", "is", "let", "nil", "operator", "private", "protocol", "public", "repeat", "rethrows",
    "return", "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
    "typealias", "var", "where", "while",
  ]
}

extension UInt8 {
  var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

  /// Whether a name of code may have it everywhere but at the beginning; of ASCII only.
  var isNamePart: Bool {
    isDigit || self == UInt8(ascii: "_") || UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20
  }
}
