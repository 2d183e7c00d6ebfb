import SwiftSyntax

/// The attributes that carry meaning for `@Model` and `@Syncable`.
enum Marker: String {
  case attribute = "Attribute"
  case model = "Model"
  case notExport = "NotExport"
  case primaryKey = "PrimaryKey"
  case relationship = "Relationship"
  case remoteKey = "RemoteKey"
  case transient = "Transient"
}

extension AttributeListSyntax {
  /// The first attribute with the marker's name, written alone (`@RemoteKey`) or qualified (`@SwiftSync.RemoteKey`).
  func first(_ marker: Marker) -> AttributeSyntax? {
    for case .attribute(let attribute) in self where attribute.isNamed(marker.rawValue) {
      return attribute
    }
    return nil
  }

  func contains(_ marker: Marker) -> Bool {
    first(marker) != nil
  }
}

extension AttributeSyntax {
  fileprivate func isNamed(_ name: String) -> Bool {
    if let identifier = attributeName.as(IdentifierTypeSyntax.self) { return identifier.name.text == name }
    if let member = attributeName.as(MemberTypeSyntax.self) { return member.name.text == name }
    return false
  }

  /// The arguments in parentheses; empty for a bare attribute.
  var labeledArguments: LabeledExprListSyntax {
    arguments?.as(LabeledExprListSyntax.self) ?? []
  }
}
