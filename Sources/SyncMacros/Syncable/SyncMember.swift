import SwiftSyntax

/// A member that `@Syncable` writes for a class, and that the class cannot write itself: a sync of mapped models goes by their
/// tables and would not call it.
///
/// Most of them are only the way to what the library does. They stand in the class so that another one in an extension, which a
/// macro cannot see, does not compile.
enum SyncMember: String, CaseIterable {
  case make
  case apply
  case applyRelationships
  case export
  case syncMarkChanged

  /// What is written for a class; nil where the library's own is enough.
  func source(for type: String, access: String) -> String? {
    switch self {
    case .make:
      "\(access)static func make(from payload: SyncPayload) throws -> \(type) { try _make(from: payload) }"
    case .apply:
      "\(access)func apply(_ payload: SyncPayload) throws -> Bool { try _apply(payload) }"
    case .applyRelationships:
      """
      \(access)func applyRelationships(
        _ payload: SyncPayload, in context: ModelContext, operations: SyncRelationshipOperations,
        isolation: isolated (any Actor)? = #isolation
      ) async throws -> Bool {
        try syncApplyGeneratedRelationships(payload, in: context, operations: operations)
      }
      """
    case .export:
      """
      \(access)func export(keyStyle: KeyStyle, dateFormatter: DateFormatter) -> [String: Any] {
        _export(keyStyle: keyStyle, dateFormatter: dateFormatter)
      }
      """
    case .syncMarkChanged: nil
    }
  }

  /// Whether a declaration is this member, and not one that has its name and takes something else.
  func isDeclared(by function: FunctionDeclSyntax) -> Bool {
    guard function.name.text == rawValue else { return false }
    let parameters = function.signature.parameterClause.parameters
    switch self {
    case .make, .apply, .applyRelationships:
      return parameters.first?.type.trimmedDescription == "SyncPayload"
    case .export:
      return parameters.map(\.firstName.text) == ["keyStyle", "dateFormatter"]
    case .syncMarkChanged:
      return parameters.isEmpty
    }
  }
}
