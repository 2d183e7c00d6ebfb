import Foundation
import Records
import SyncEngine

extension ModelReader {
  func attribute(_ element: XMLElement) throws(ModelFileError) -> AttributeDescription {
    let name = try required("name", of: element)
    let typeName = try required("attributeType", of: element)
    guard let type = AttributeDescription.AttributeType(rawValue: typeName) else {
      let known = AttributeDescription.AttributeType.allCases.map(\.rawValue).joined(separator: ", ")
      throw invalid("attributeType", of: element, typeName, expected: "one of \(known)")
    }
    if try flag("derived", of: element) {
      let expression = element.attributes["derivationExpression"] ?? ""
      throw unsupported(element, "is derived from \(expression), which is not kept up to date here: compute it in code")
    }
    return AttributeDescription(
      name, type, isOptional: try flag("optional", of: element), isTransient: try flag("transient", of: element),
      default: try defaultValue(of: element, type),
      minimum: try bound("minValueString", dates: "minDateTimeInterval", of: element, type),
      maximum: try bound("maxValueString", dates: "maxDateTimeInterval", of: element, type),
      regularExpression: nonEmpty("regularExpressionString", of: element),
      valueTransformerName: nonEmpty("valueTransformerName", of: element),
      allowsExternalStorage: try flag("allowsExternalBinaryDataStorage", of: element),
      preservesValueInHistory: try flag("preservesValueInHistoryOnDeletion", of: element),
      isIndexed: try flag("indexed", of: element), renamingIdentifier: nonEmpty("elementID", of: element),
      userInfo: try userInfo(element))
  }

  func relationship(_ element: XMLElement) throws(ModelFileError) -> RelationshipDescription {
    let name = try required("name", of: element)
    let destination = try required("destinationEntity", of: element)
    if try flag("transient", of: element) {
      throw unsupported(element, "is transient; only attributes can be")
    }
    let isToMany = try flag("toMany", of: element)
    let ruleName = nonEmpty("deletionRule", of: element) ?? RelationshipDescription.DeleteRule.nullify.rawValue
    guard let rule = RelationshipDescription.DeleteRule(rawValue: ruleName) else {
      let known = RelationshipDescription.DeleteRule.allCases.map(\.rawValue).joined(separator: ", ")
      throw invalid("deletionRule", of: element, ruleName, expected: "one of \(known)")
    }
    let maximum = try count("maxCount", of: element)
    let minimum = try count("minCount", of: element) ?? 0
    let isOrdered = try flag("ordered", of: element)
    return RelationshipDescription(
      name: name, destination: destination, isToMany: isToMany, isOrdered: isToMany && isOrdered,
      isOptional: try flag("optional", of: element), minCount: isToMany ? minimum : 0,
      // Zero is how the editor writes that there is no bound.
      maxCount: isToMany ? (maximum == 0 ? nil : maximum) : 1, inverse: nonEmpty("inverseName", of: element),
      deleteRule: rule, renamingIdentifier: nonEmpty("elementID", of: element), userInfo: try userInfo(element))
  }

  // MARK: Values in attributes

  private func defaultValue(
    of element: XMLElement, _ type: AttributeDescription.AttributeType
  ) throws(ModelFileError) -> AttributeValue? {
    if type == .date, let text = nonEmpty("defaultDateTimeInterval", of: element) {
      return try date("defaultDateTimeInterval", of: element, text)
    }
    guard let text = element.attributes["defaultValueString"] else { return nil }
    // The editor leaves an empty text where a number had a default. Of a text it is a default like any other.
    if text.isEmpty, type != .string { return nil }
    return try value("defaultValueString", of: element, text, type)
  }

  /// A bound, which of a text is a number of characters.
  private func bound(
    _ attribute: String, dates: String, of element: XMLElement, _ type: AttributeDescription.AttributeType
  ) throws(ModelFileError) -> AttributeValue? {
    if type == .date, let text = nonEmpty(dates, of: element) { return try date(dates, of: element, text) }
    guard let text = nonEmpty(attribute, of: element) else { return nil }
    return try value(attribute, of: element, text, type == .string ? .integer32 : type)
  }

  private func date(_ attribute: String, of element: XMLElement, _ text: String) throws(ModelFileError)
    -> AttributeValue
  {
    guard let seconds = Double(text), seconds.isFinite else {
      throw invalid(attribute, of: element, text, expected: "a number of seconds since 2001")
    }
    return .date(Date(timeIntervalSinceReferenceDate: seconds))
  }

  private func value(
    _ attribute: String, of element: XMLElement, _ text: String, _ type: AttributeDescription.AttributeType
  ) throws(ModelFileError) -> AttributeValue {
    switch (type, text) {
    case (.boolean, "YES"): return true
    case (.boolean, "NO"): return false
    case (.transformable, _), (.binaryData, _):
      throw invalid(attribute, of: element, text, expected: "left out for the type \(type.rawValue)")
    default:
      guard let converted = NativeCoercion.convert(text, to: type.storedType), converted.isWhole,
        let value = AttributeValue(converted.field)
      else { throw invalid(attribute, of: element, text, expected: "of the type \(type.rawValue)") }
      return value
    }
  }
}
