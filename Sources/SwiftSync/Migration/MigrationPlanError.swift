/// What is wrong with a migration plan, whatever the store has.
public enum MigrationPlanError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Two versions have one number.
  case duplicateVersion(Schema.Version)
  /// No version of the plan has all classes of the container.
  case schemaInNoVersion(models: [String])
  /// A stage leads from or to a version that is not among the plan's.
  case stageOfUnknownVersion(Schema.Version)

  /// The error as a sentence.
  public var description: String {
    switch self {
    case .duplicateVersion(let version):
      "Two schemas of the migration plan have the version \(version)."
    case .schemaInNoVersion(let models):
      "No schema of the migration plan has the classes of the container: \(models.joined(separator: ", "))."
    case .stageOfUnknownVersion(let version):
      "A stage of the migration plan names version \(version), which is not one of its schemas."
    }
  }
}
