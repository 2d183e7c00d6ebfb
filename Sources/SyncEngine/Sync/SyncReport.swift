/// What a sync did, and what it could not do as asked.
///
/// A sync that returns has done everything that the payload says except what is listed here. The lists are bounded
/// (`detailsMax` entries each); `omittedDetails` counts what did not fit.
public struct SyncReport: Sendable, Equatable {
  /// How many entries each list holds at most. A payload with one wrong key has an entry for every row, and the first
  /// thousand say as much as all of them.
  public static let detailsMax = 1000

  /// What happened to the rows of one entity.
  public struct Counts: Sendable, Equatable {
    /// New rows.
    public var inserted = 0
    /// Existing rows of which an attribute or a link changed.
    public var updated = 0
    /// Rows that are gone: those that the payload doesn't list, and what went with them by a cascade.
    public var deleted = 0
    /// Rows of the payload that were equal to what was stored.
    public var unchanged = 0
  }

  /// A payload object that was left out.
  public struct SkippedRow: Sendable, Equatable {
    /// Why it was left out.
    public enum Reason: Sendable, Equatable {
      /// None of the identity's keys has a readable value.
      case noIdentity
    }

    /// The position of the row in the payload.
    public let row: Int
    /// The entity that the payload is for.
    public let entity: String
    /// Why it was left out.
    public let reason: Reason
  }

  /// A value that was not stored as it stood in the payload.
  public struct ReplacedValue: Sendable, Equatable {
    /// What is wrong with the value.
    public enum Cause: Sendable, Equatable {
      /// It can't be converted to the attribute's type.
      case unreadable
      /// It is null, and the attribute isn't optional.
      case nullForRequired
      /// Only the beginning could be read.
      case partlyReadable
    }

    /// What was stored in its place.
    public enum Outcome: Sendable, Equatable {
      /// An optional attribute became nil.
      case cleared
      /// The default of the attribute's type.
      case setToDefault
      /// The stored value stays.
      case kept
      /// What could be read of it.
      case storedInPart
    }

    /// The position of the row in the payload; for a nested object that of the row which it belongs to.
    public let row: Int
    /// The entity of the row whose attribute it is.
    public let entity: String
    /// The identity of the row (of the nested object, if the value is its), as text.
    public let identity: String
    /// The payload key under which the value was found.
    public let key: String
    /// The value as text, shortened.
    public let value: String
    /// What is wrong with it.
    public let cause: Cause
    /// What was done.
    public let outcome: Outcome
  }

  /// A relationship that was left as it is, because of what stands under its key.
  public struct IgnoredReference: Sendable, Equatable {
    /// Why it was left alone.
    public enum Reason: Sendable, Equatable {
      /// No row has the identity. The other identities of the same list are linked.
      case unknownIdentity
      /// The value is of another kind than the identity of the rows that the relationship leads to, or is no identity
      /// and no object at all.
      case mismatchedValue
      /// The value leaves rows out that can't be without an owner. They stay.
      case memberNeedsOwner
    }

    /// The position of the row in the payload; for a nested object that of the row which it belongs to.
    public let row: Int
    /// The entity that has the relationship.
    public let entity: String
    /// The identity of the row that has it, as text.
    public let identity: String
    /// The name of the relationship.
    public let relationship: String
    /// The value as text, shortened.
    public let value: String
    /// Why it was left alone.
    public let reason: Reason
  }

  /// Rows that had the same identity as a row that was kept, and were deleted.
  public struct RemovedDuplicates: Sendable, Equatable {
    /// The entity whose identities were not unique.
    public let entity: String
    /// How many rows were deleted.
    public var count: Int
  }

  /// By entity name. Entities that the sync did not look at are absent.
  public internal(set) var entities: [String: Counts] = [:]
  /// Payload objects that were left out.
  public internal(set) var skippedRows: [SkippedRow] = []
  /// Values that were not stored as they stood in the payload.
  public internal(set) var replacedValues: [ReplacedValue] = []
  /// References that changed nothing.
  public internal(set) var ignoredReferences: [IgnoredReference] = []
  /// Stored rows that shared their identity with another, by entity.
  public internal(set) var removedDuplicates: [RemovedDuplicates] = []
  /// How many details of all kinds were left out because their list was full.
  public internal(set) var omittedDetails = 0

  /// Where the time went.
  package internal(set) var durations = SyncDurations()

  package init() {}

  /// Whether the store is as it was.
  public var changedNothing: Bool {
    entities.values.allSatisfy { $0.inserted == 0 && $0.updated == 0 && $0.deleted == 0 }
  }

  /// Whether two reports say the same; how long the syncs took doesn't count.
  public static func == (left: SyncReport, right: SyncReport) -> Bool {
    left.entities == right.entities && left.skippedRows == right.skippedRows
      && left.replacedValues == right.replacedValues && left.ignoredReferences == right.ignoredReferences
      && left.removedDuplicates == right.removedDuplicates && left.omittedDetails == right.omittedDetails
  }

  /// Appends a detail unless the list is full.
  mutating func note<Detail>(_ detail: @autoclosure () -> Detail, in list: WritableKeyPath<SyncReport, [Detail]>) {
    guard self[keyPath: list].count < Self.detailsMax else {
      omittedDetails += 1
      return
    }
    self[keyPath: list].append(detail())
  }
}

/// How long the phases of a sync took.
package struct SyncDurations: Sendable {
  /// Reading identities and references of the payload, and finding their rows.
  package var resolve = Duration.zero
  /// Turning payload rows into records and writing those that differ.
  package var map = Duration.zero
  /// To-many links.
  package var link = Duration.zero
  /// Deleting the rows that the payload doesn't list.
  package var delete = Duration.zero
}
