import Records

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
    /// Links that were made from rows of the entity, by what the payload says of these rows.
    public var linked = 0
    /// Links from rows of the entity that were removed or led elsewhere, by what the payload says of these rows.
    public var unlinked = 0
  }

  /// Which rows of one entity the counts are about: the identities, as text, of the first ones of each kind.
  public struct Identities: Sendable, Equatable {
    /// Of new rows.
    public var inserted: [String] = []
    /// Of existing rows of which an attribute or a link changed.
    public var updated: [String] = []
    /// Of rows that are gone: because the payload doesn't list them, and then by a cascade from these.
    public var deleted: [String] = []
    /// Of rows that were equal to what was stored.
    public var unchanged: [String] = []
    /// Of rows that are linked to more than before.
    public var linked: [String] = []
    /// Of rows that lost links.
    public var unlinked: [String] = []
  }

  /// By entity name. Entities that the sync did not look at are absent.
  public internal(set) var entities: [String: Counts] = [:]
  /// By entity name: which rows the counts are about.
  public internal(set) var identities: [String: Identities] = [:]
  /// Whether nothing was written: the report says what a sync would do.
  public internal(set) var isDryRun = false
  /// Payload objects that were left out.
  public internal(set) var skippedRows: [SkippedRow] = []
  /// Values that were not stored as they stood in the payload.
  public internal(set) var replacedValues: [ReplacedValue] = []
  /// References that changed nothing.
  public internal(set) var ignoredReferences: [IgnoredReference] = []
  /// Keys that an object of a JSON text has more than once. The last value of each counted.
  public internal(set) var duplicateKeys: [DuplicateKey] = []
  /// Rows that were changed here and on the server.
  public internal(set) var conflicts: [Conflict] = []
  /// Stored rows that shared their identity with another, by entity.
  public internal(set) var removedDuplicates: [RemovedDuplicates] = []
  /// How many details of all kinds were left out because their list was full.
  public internal(set) var omittedDetails = 0

  /// The row of the object that a sync of one object was about; nil if that is no row.
  package internal(set) var itemRow: RowNumber?
  /// How many rows were told by their texts, and not read at all.
  package internal(set) var recognizedRows = 0
  /// How many details were noted, whether there was room for them or not.
  var noteCount = 0
  /// Where the time went.
  package internal(set) var durations = SyncDurations()

  package init() {}

  /// Whether the store is as it was, or would be after a dry run.
  public var changedNothing: Bool {
    entities.values.allSatisfy { $0.inserted == 0 && $0.updated == 0 && $0.deleted == 0 }
  }

  /// Whether two reports say the same; how long the syncs took doesn't count.
  public static func == (left: SyncReport, right: SyncReport) -> Bool {
    left.entities == right.entities && left.identities == right.identities && left.isDryRun == right.isDryRun
      && left.skippedRows == right.skippedRows && left.replacedValues == right.replacedValues
      && left.ignoredReferences == right.ignoredReferences && left.duplicateKeys == right.duplicateKeys
      && left.conflicts == right.conflicts && left.removedDuplicates == right.removedDuplicates
      && left.omittedDetails == right.omittedDetails
  }

  /// Appends a detail unless the list is full.
  mutating func note<Detail>(_ detail: @autoclosure () -> Detail, in list: WritableKeyPath<SyncReport, [Detail]>) {
    noteCount += 1
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
