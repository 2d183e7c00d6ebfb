import Foundation

/// Makes a model of the elements of a model file.
///
/// Elements and XML attributes that say nothing about objects (where the editor draws an entity, what its class is called) are
/// skipped, known or not. What would change how objects behave is read, refused, or listed among the model's omissions.
struct ModelReader {
  let path: String
  private(set) var omissions: [ModelOmission] = []

  init(path: String) {
    self.path = path
  }

  /// - Throws: `ModelFileError`, or `ModelError` for what is wrong with the model as a whole.
  mutating func model(_ root: XMLElement) throws -> ManagedObjectModel {
    guard root.name == "model" else {
      throw ModelFileError.notAModel(path: path, line: root.line, column: root.column, element: root.name)
    }
    var entities: [EntityDescription] = []
    for child in root.children {
      switch child.name {
      case "entity": entities.append(try entity(child))
      case "fetchRequest": omit(child, "The stored fetch request \(child.label) is left out: write the fetch in code.")
      case "configuration": omit(child, "The configuration \(child.label) is left out: a store has all entities.")
      default: break
      }
    }
    let version = root.attributes["userDefinedModelVersionIdentifier"].flatMap { $0.isEmpty ? nil : $0 }
    return try ManagedObjectModel(entities: entities, version: version, omissions: omissions)
  }

  private mutating func entity(_ element: XMLElement) throws(ModelFileError) -> EntityDescription {
    var attributes: [AttributeDescription] = []
    var relationships: [RelationshipDescription] = []
    var constraints: [[String]] = []
    var indexes: [[String]] = []
    for child in element.children {
      switch child.name {
      case "attribute": attributes.append(try attribute(child))
      case "relationship": relationships.append(try relationship(child))
      case "uniquenessConstraints":
        for constraint in child.children(named: "uniquenessConstraint") {
          constraints.append(
            try constraint.children(named: "constraint").map { element throws(ModelFileError) in
              try required("value", of: element)
            })
        }
      case "fetchIndex": if let index = try index(child) { indexes.append(index) }
      case "compoundIndexes":
        for index in child.children(named: "compoundIndex") {
          indexes.append(
            try index.children(named: "index").map { element throws(ModelFileError) in
              try required("value", of: element)
            })
        }
      case "fetchedProperty":
        omit(child, "The fetched property \(element.label).\(child.label) is left out: write the fetch in code.")
      default: break
      }
    }
    return EntityDescription(
      try required("name", of: element), parent: nonEmpty("parentEntity", of: element),
      isAbstract: try flag("isAbstract", of: element), attributes: attributes, relationships: relationships,
      uniquenessConstraints: constraints, indexes: indexes, renamingIdentifier: nonEmpty("elementID", of: element),
      userInfo: try userInfo(element))
  }

  /// The attributes of an index; nil for an index on something else. An index changes no result, so leaving it out is safe.
  private mutating func index(_ element: XMLElement) throws(ModelFileError) -> [String]? {
    let parts = element.children(named: "fetchIndexElement")
    let isPlain = parts.allSatisfy {
      $0.attributes["expression"] == nil && ($0.attributes["type"] ?? "Binary") == "Binary"
    }
    if parts.isEmpty || !isPlain {
      omit(element, "The index \(element.label) is left out: only attributes can be indexed.")
      return nil
    }
    return try parts.map { element throws(ModelFileError) in try required("property", of: element) }
  }

  private mutating func omit(_ element: XMLElement, _ sentence: String) {
    omissions.append(ModelOmission(description: sentence, line: element.line))
  }
}

// MARK: What elements say

extension ModelReader {
  func required(_ attribute: String, of element: XMLElement) throws(ModelFileError) -> String {
    if let value = nonEmpty(attribute, of: element) { return value }
    throw .missing(
      path: path, line: element.line, column: element.column, element: element.name, attribute: attribute)
  }

  func nonEmpty(_ attribute: String, of element: XMLElement) -> String? {
    element.attributes[attribute].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// A truth value, which is `NO` where it is missing.
  func flag(_ attribute: String, of element: XMLElement) throws(ModelFileError) -> Bool {
    switch element.attributes[attribute] {
    case nil, "NO"?, ""?: return false
    case "YES"?: return true
    case let value?: throw invalid(attribute, of: element, value, expected: "YES or NO")
    }
  }

  func count(_ attribute: String, of element: XMLElement) throws(ModelFileError) -> Int? {
    guard let text = nonEmpty(attribute, of: element) else { return nil }
    guard let count = Int32(text), count >= 0 else {
      throw invalid(attribute, of: element, text, expected: "a number of objects")
    }
    return Int(count)
  }

  func userInfo(_ element: XMLElement) throws(ModelFileError) -> [String: String] {
    var result: [String: String] = [:]
    for entry in element.children(named: "userInfo").flatMap({ $0.children(named: "entry") }) {
      result[try required("key", of: entry)] = entry.attributes["value"] ?? ""
    }
    return result
  }

  func invalid(_ attribute: String, of element: XMLElement, _ value: String, expected: String) -> ModelFileError {
    .invalid(
      path: path, line: element.line, column: element.column, element: "\(element.name) \(element.label)",
      attribute: attribute, value: value, expected: expected)
  }

  func unsupported(_ element: XMLElement, _ reason: String) -> ModelFileError {
    .unsupported(
      path: path, line: element.line, column: element.column, element: "\(element.name) \(element.label)",
      reason: reason)
  }
}

extension XMLElement {
  /// The name that the file gives to what the element describes.
  var label: String { attributes["name"] ?? "without a name" }
}
