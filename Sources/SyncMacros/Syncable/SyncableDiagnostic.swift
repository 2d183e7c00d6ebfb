import SwiftDiagnostics

/// What `@Syncable` and its companions cannot accept.
enum SyncableDiagnostic: DiagnosticMessage {
  case notAModel
  case notFinal(String)
  case blockedName(BlockedName)
  case missingIdentity(String)
  case severalPrimaryKeys
  case identityWithoutType(String)
  case computedKey
  case ownMember(SyncMember)

  var message: String {
    switch self {
    case .notAModel:
      "@Syncable can only be applied to a class that is also marked @Model"
    case .notFinal(let type):
      "'\(type)' has to be final: a sync identity is a key path of exactly one class"
    case .blockedName(let name):
      """
      a synced model cannot have a property named '\(name.rawValue)': rename it to '\(name.replacement)' and map it \
      with @RemoteKey("\(name.rawValue)")
      """
    case .missingIdentity(let type):
      "'\(type)' has no sync identity: mark a property @PrimaryKey, or name it 'id' or 'remoteID'"
    case .severalPrimaryKeys:
      "a model has one sync identity: only one property can be marked @PrimaryKey"
    case .identityWithoutType(let name):
      "write down the type of '\(name)': generated code has to name the type of the sync identity"
    case .computedKey:
      "a payload key has to be a string literal: a macro cannot see the value of anything else"
    case .ownMember(let member):
      """
      '\(member.rawValue)' is written by @Syncable, and a sync would not call another one: remove it, or remove @Syncable and \
      conform to SyncUpdatableModel by hand
      """
    }
  }

  private var id: String {
    switch self {
    case .notAModel: "not-a-model"
    case .notFinal: "not-final"
    case .blockedName(let name): "blocked-property-name-\(name.rawValue)"
    case .missingIdentity: "missing-identity"
    case .severalPrimaryKeys: "several-primary-keys"
    case .identityWithoutType: "identity-without-type"
    case .computedKey: "computed-key"
    case .ownMember: "own-member"
    }
  }

  var diagnosticID: MessageID { MessageID(domain: "SwiftSync.SyncableMacro", id: id) }

  var severity: DiagnosticSeverity { .error }
}

/// Property names that clash with what every object already has.
enum BlockedName: String {
  case description
  case hashValue

  var replacement: String {
    switch self {
    case .description: "descriptionText"
    case .hashValue: "hashValueRaw"
    }
  }
}
