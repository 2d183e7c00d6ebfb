/// What attributes and relationships have in common.
public protocol PropertyDescription: Sendable {
  /// The property's name.
  var name: String { get }
  /// Whether an object may be saved without a value, or with nothing at the far end.
  var isOptional: Bool { get }
  /// What the model says about the property beyond what a store needs; see `SyncUserInfoKey`.
  var userInfo: [String: String] { get }
  /// The name of the entity that declares it. Empty until it is part of a model.
  var entityName: String { get }
}

/// The entries of a property's user info that syncs and exports look at.
///
/// Each has an older name, which counts only where the present one is absent. All other entries are left to the application.
public enum SyncUserInfoKey: String, Sendable, CaseIterable {
  /// Marks the attribute that rows are told apart by. Its value is `YES` or `true`, as it is written here; any other marks nothing.
  case isPrimaryKey = "sync.isPrimaryKey"
  /// The key of the property in JSON. Dots lead into nested objects.
  case remoteKey = "sync.remoteKey"
  /// Leaves the property out of exports, whatever its value is.
  case nonExportable = "sync.nonExportable"
  /// The name of a registered value transformer.
  case valueTransformer = "sync.valueTransformer"

  /// The name of the entry in models made for earlier versions.
  public var legacyName: String { "hyper" + rawValue.dropFirst("sync".count) }
}

extension PropertyDescription {
  /// The value of an entry of the user info, under its present or its older name.
  public func userInfoValue(_ key: SyncUserInfoKey) -> String? {
    userInfo[key.rawValue] ?? userInfo[key.legacyName]
  }

  /// Whether the model marks the property as primary key.
  public var isCustomPrimaryKey: Bool { ["YES", "true"].contains(userInfoValue(.isPrimaryKey)) }

  /// The key in JSON that the model gives the property; nil if it gives none, or an empty one.
  public var customKey: String? {
    guard let key = userInfoValue(.remoteKey), !key.isEmpty else { return nil }
    return key
  }

  /// Whether exports contain the property.
  public var shouldExportAttribute: Bool { userInfoValue(.nonExportable) == nil }

  /// The name of the value transformer that the model gives the property.
  public var customTransformerName: String? { userInfoValue(.valueTransformer) }
}
