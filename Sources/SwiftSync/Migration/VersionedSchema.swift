/// One version of an application's schema: its model classes as they were then.
///
/// ```swift
/// enum SchemaV1: VersionedSchema {
///   static let versionIdentifier = Schema.Version(1, 0, 0)
///   static var models: [any PersistentModel.Type] { [Task.self] }
///
///   @Model final class Task {
///     var title: String
///     …
///   }
/// }
/// ```
public protocol VersionedSchema: SendableMetatype {
  /// The model classes of the version.
  static var models: [any PersistentModel.Type] { get }
  /// The number of the version.
  static var versionIdentifier: Schema.Version { get }
}
