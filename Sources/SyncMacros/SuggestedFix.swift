import SwiftDiagnostics
import SwiftSyntax

/// A correction that the compiler can offer beside an error.
enum SuggestedFix: FixItMessage {
  case makeVariable
  case remove(String)
  case addModel
  case makeFinal
  case rename(BlockedName)

  var message: String {
    switch self {
    case .makeVariable: "make it a 'var'"
    case .remove(let text): "remove '\(text)'"
    case .addModel: "add @Model"
    case .makeFinal: "make it final"
    case .rename(let name): "rename it to '\(name.replacement)'"
    }
  }

  var fixItID: MessageID {
    let id =
      switch self {
      case .makeVariable: "make-variable"
      case .remove: "remove"
      case .addModel: "add-model"
      case .makeFinal: "make-final"
      case .rename: "rename"
      }
    return MessageID(domain: "SwiftSync", id: id)
  }

  /// The fix that puts each source text in the place of its node and leaves the white space around it alone.
  func replacing(_ replacements: (node: Syntax, source: String)...) -> FixIt {
    let changes = replacements.map { node, source in
      // The text of a token is not checked, so that a token can stand for any piece of source.
      let token = TokenSyntax(
        .identifier(source), leadingTrivia: node.leadingTrivia,
        trailingTrivia: source.isEmpty ? [] : node.trailingTrivia, presence: .present)
      return FixIt.Change.replace(oldNode: node, newNode: Syntax(token))
    }
    return FixIt(message: self, changes: changes)
  }

  func replacing(_ node: some SyntaxProtocol, with source: String) -> FixIt {
    replacing((Syntax(node), source))
  }
}
