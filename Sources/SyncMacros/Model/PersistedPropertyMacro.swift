import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@_PersistedProperty(slot:)`: what `@Model` attaches to each persisted property.
enum PersistedPropertyMacro {
  /// The type of the empty companion of a persisted property.
  static let slotType = "PersistedSlot"

  private static func property(_ declaration: some DeclSyntaxProtocol) -> PersistedProperty? {
    guard let variable = declaration.as(VariableDeclSyntax.self), case .persisted(let property) = PropertyRole(variable)
    else { return nil }
    return property
  }
}

extension PersistedPropertyMacro: AccessorMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AccessorDeclSyntax] {
    guard let property = property(declaration), let slot = node.labeledArguments.first?.expression.trimmedDescription
    else { return [] }
    let backing = ModelMacro.backing
    let keyPath = "\\.\(property.name.text)"
    let accessors: [AccessorDeclSyntax] = [
      """
      @storageRestrictions(accesses: \(raw: backing), initializes: \(raw: property.slotName))
      init(initialValue) {
        \(raw: backing).initialize(\(raw: slot), to: initialValue)
        \(raw: property.slotName) = \(raw: slotType)()
      }
      """,
      "get { \(raw: backing).value(\(raw: slot), of: self, \(raw: keyPath)) }",
      "set { \(raw: backing).set(\(raw: slot), of: self, \(raw: keyPath), to: newValue) }",
    ]
    if !property.isArray { return accessors }
    // Writes back by `defer`, also when what edits the value throws.
    return accessors + [
      """
      _modify {
        var value = \(raw: backing).value(\(raw: slot), of: self, \(raw: keyPath))
        \(raw: backing).unshare(\(raw: slot), &value)
        defer {
          \(raw: backing).set(\(raw: slot), of: self, \(raw: keyPath), to: value)
        }
        yield &value
      }
      """
    ]
  }
}

extension PersistedPropertyMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let property = property(declaration) else { return [] }
    return ["private var \(raw: property.slotName): \(raw: slotType)"]
  }
}
