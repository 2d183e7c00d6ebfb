/// The names that the primary key of an entity had.
extension EntityDescription {
  /// The attribute that is the primary key; nil if there is none.
  @available(*, deprecated, renamed: "primaryKeyAttribute")
  public func sync_primaryKeyAttribute() -> AttributeDescription? { primaryKeyAttribute }

  /// The primary key's name; nil if there is none.
  @available(*, deprecated, renamed: "localPrimaryKey")
  public func sync_localPrimaryKey() -> String? { localPrimaryKey }

  /// The key under which payloads have the primary key; nil if there is none.
  @available(*, deprecated, renamed: "remotePrimaryKey")
  public func sync_remotePrimaryKey() -> String? { remotePrimaryKey }
}
