import Foundation
import Records
import SyncEngine
import Synchronization

/// A container that payloads are synced into.
///
/// A sync takes the rows that a backend sent, inserts, updates, deletes and links rows by convention in one atomic
/// transaction off the main actor, and brings the main context's objects up to date before it returns.
public final class SyncContainer: Sendable {
  /// The container with the store and the model classes.
  public let modelContainer: ModelContainer
  /// How the backend writes its keys.
  public let keyStyle: KeyStyle
  /// How an export writes dates; the default is ISO 8601 with milliseconds, in UTC.
  public var dateFormatter: DateFormatter {
    madeDateFormatter.withLock { formatter in
      let made = formatter ?? .syncDefault()
      formatter = made
      return made
    }
  }

  /// Made when it is first asked for: it brings a locale with it, which takes as long as a good part of opening a store.
  private let madeDateFormatter: Mutex<DateFormatter?>
  /// Whether `dateFormatter` is the default one, whose texts need no formatter.
  let hasStandardDates: Bool
  /// What a sync does with a value that cannot be read, or is null where something is required.
  public let unreadableValues: UnreadableValuePolicy
  /// How the rows of its classes are written.
  let recordExports: RecordExports
  /// What becomes of a row that was changed both here and on the server before it was pushed.
  public let conflicts: SyncConflictPolicy
  /// Hears how long each phase of each sync took, for signposts and logs.
  let onPhase: SyncPhaseHandler?
  /// Hears what each round of changes costs the live queries.
  let readListener: ReadListener?

  /// The author of what a sync writes, so that edits that came from a backend can be told from the application's own.
  static let inboundAuthor = InboundAuthor.name

  /// What was done to the store to open it: nil unless it could not be used and `recoverOnFailure` was set.
  public let recovery: StoreRecovery?

  /// Syncs into an existing container. The other parameters are those of
  /// `init(for:migrationPlan:keyStyle:dateFormatter:unreadableValues:conflicts:onPhase:onRead:recoverOnFailure:configurations:)`; what that checks of
  /// the classes is not checked.
  public convenience init(
    _ modelContainer: ModelContainer, keyStyle: KeyStyle = .snakeCase, dateFormatter: DateFormatter? = nil,
    unreadableValues: UnreadableValuePolicy = .replace, conflicts: SyncConflictPolicy = .localWins,
    onPhase: SyncPhaseHandler? = nil, onRead: SyncReadHandler? = nil
  ) {
    self.init(
      modelContainer, recovery: nil, keyStyle: keyStyle, dateFormatter: dateFormatter,
      unreadableValues: unreadableValues, conflicts: conflicts, onPhase: onPhase, onRead: onRead)
  }

  init(
    _ modelContainer: ModelContainer, recovery: StoreRecovery?, keyStyle: KeyStyle, dateFormatter: DateFormatter?,
    unreadableValues: UnreadableValuePolicy, conflicts: SyncConflictPolicy, onPhase: SyncPhaseHandler?,
    onRead: SyncReadHandler?
  ) {
    self.modelContainer = modelContainer
    self.recovery = recovery
    self.keyStyle = keyStyle
    recordExports = RecordExports(keyStyle)
    madeDateFormatter = Mutex(dateFormatter)
    hasStandardDates = dateFormatter == nil
    self.unreadableValues = unreadableValues
    self.conflicts = conflicts
    self.onPhase = onPhase
    readListener = onRead.map(ReadListener.init)
  }

  /// The context of the main actor.
  @MainActor public var mainContext: ModelContext { modelContainer.mainContext }
}
