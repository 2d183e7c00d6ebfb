/// The payload keys that are tried for a name.
package enum KeyCandidates {
  /// Keys that stand for each other when one of them is asked for, because backends disagree about what the identity of a
  /// row is called.
  static let identityKeys = ["id", "remote_id", "remoteID", "remoteId"]

  /// The keys to try for a name in a style, in order: the style's form, the name as it is written, and for `id` and
  /// `remoteID` the other names of an identity.
  package static func candidates(for name: String, in style: KeyStyle) -> [String] {
    unique(styled(name, in: style) + aliases(of: name, in: style))
  }

  /// The candidates without the aliases.
  static func styled(_ name: String, in style: KeyStyle) -> [String] {
    let forms =
      switch style {
      case .snakeCase: [SnakeCase.form(of: name), SnakeCase.form(of: name, plural: .split)]
      case .camelCase: [CamelCase.form(of: name), CamelCase.form(of: name, plural: .split)]
      }
    return unique(forms + [name])
  }

  static func aliases(of name: String, in style: KeyStyle) -> [String] {
    switch (name, style) {
    case ("id", .snakeCase): ["remote_id", "remoteID", "remoteId"]
    case ("id", .camelCase): ["remoteID", "remoteId", "remote_id"]
    case ("remoteID", .snakeCase): ["remoteId", "id"]
    case ("remoteID", .camelCase): ["id", "remote_id"]
    default: []
    }
  }

  static func unique(_ keys: [String]) -> [String] {
    var seen: Set<String> = []
    return keys.filter { seen.insert($0).inserted }
  }
}
