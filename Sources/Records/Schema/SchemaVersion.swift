/// The version of a schema: three numbers that are compared from the left.
public struct SchemaVersion: Hashable, Comparable, Sendable, Codable {
  /// Counts changes after which older programs cannot work with the data.
  public let major: Int
  /// Counts other changes.
  public let minor: Int
  /// Counts corrections.
  public let patch: Int

  /// A version of three numbers.
  public init(_ major: Int, _ minor: Int, _ patch: Int) {
    self.major = major
    self.minor = minor
    self.patch = patch
  }

  /// Whether the left version is the earlier one.
  public static func < (left: SchemaVersion, right: SchemaVersion) -> Bool {
    (left.major, left.minor, left.patch) < (right.major, right.minor, right.patch)
  }
}

extension SchemaVersion: CustomStringConvertible {
  /// The three numbers with points between them.
  public var description: String { "\(major).\(minor).\(patch)" }
}
