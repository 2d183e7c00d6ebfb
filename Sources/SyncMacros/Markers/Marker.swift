import SwiftSyntax

/// The attributes that carry meaning for `@Model` and `@Syncable`.
enum Marker: String {
  case attribute = "Attribute"
  case mainActor = "MainActor"
  case model = "Model"
  case notExport = "NotExport"
  case primaryKey = "PrimaryKey"
  case relationship = "Relationship"
  case remoteKey = "RemoteKey"
  case transient = "Transient"
}

extension AttributeListSyntax {
  /// The attributes with the marker's name, written alone (`@RemoteKey`) or qualified (`@SwiftSync.RemoteKey`).
  func all(_ marker: Marker) -> [AttributeSyntax] {
    compactMap { element in
      guard case .attribute(let attribute) = element, attribute.plainName == marker.rawValue else { return nil }
      return attribute
    }
  }

  func contains(_ marker: Marker) -> Bool {
    !all(marker).isEmpty
  }
}

extension AttributeSyntax {
  /// The name without the module in front of it.
  var plainName: String {
    attributeName.as(MemberTypeSyntax.self)?.name.text ?? attributeName.trimmedDescription
  }

  /// The arguments in parentheses; empty for a bare attribute.
  var labeledArguments: LabeledExprListSyntax {
    arguments?.as(LabeledExprListSyntax.self) ?? []
  }
}
