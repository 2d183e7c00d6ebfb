import SyncEngine
import Synchronization

extension ModelTable {
  /// The payload key of the identity that a bare or named `@PrimaryKey` fixes; nil for the default aliases.
  var identityKey: String? {
    guard let identity, let trait = identity.attribute, trait.isPrimaryKey else { return nil }
    return trait.primaryKeyRemote ?? identity.remoteKey ?? identity.name
  }

  /// The payload key of the identity that an annotation gives.
  var explicitIdentityKey: String? { identityKey?.nonEmpty ?? identity?.remoteKey?.nonEmpty }

  /// The payload keys of the identity: those that a sync of the store looks for.
  func identityKeys(in style: KeyStyle) -> IdentityKeys? {
    IdentityKeyCache.shared.keys(of: self, in: style)
  }

  /// Whether an identity means one row in the whole store, and not only among the rows of one parent: the identity alone is
  /// unique (contract, sections 8.1 and B-15).
  var isIdentityGlobal: Bool {
    identity.map { uniquenessConstraints.contains([$0.name]) } ?? false
  }
}

extension String {
  fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}

extension SyncModelable {
  /// The property that holds the identity.
  static var identityKeyPath: AnyKeyPath { syncIdentity }
}

/// The payload keys of identities, which are asked for once for each row.
private final class IdentityKeyCache: Sendable {
  static let shared = IdentityKeyCache()

  private struct Key: Hashable {
    let table: ObjectIdentifier
    let style: KeyStyle
  }

  private let known = Mutex<[Key: IdentityKeys]>([:])

  func keys(of table: ModelTable, in style: KeyStyle) -> IdentityKeys? {
    let key = Key(table: ObjectIdentifier(table), style: style)
    if let keys = known.withLock({ $0[key] }) { return keys }
    guard let identity = table.identity else { return nil }
    let otherKeys = table.properties.compactMap { property -> String? in
      if property.slot == identity.slot { return nil }
      return property.remoteKey?.nonEmpty ?? (property.attribute == nil ? nil : property.name)
    }
    let keys = IdentityKeys(
      name: identity.name, explicitKey: table.explicitIdentityKey, otherKeys: otherKeys, style: style)
    known.withLock { $0[key] = keys }
    return keys
  }
}
