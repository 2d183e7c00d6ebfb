#if BROKEN_VARIANTS
import Glibc

/// Ways to be wrong, for the crash campaign to show that it notices. None of it exists in an ordinary build.
package enum BrokenVariant: String, CaseIterable, Sendable {
  /// Nothing keeps the pages of the checkpoint's snapshot.
  case noPin
  /// The old pin goes before the new record is on the medium.
  case pinReleasedEarly
  /// Frames do not depend on the ones before, and after a recovery the log goes on where it ends.
  case unchainedFrames
  /// A new timeline goes on where the last ended, with the old numbers.
  case noFreshTimeline
  /// The segment that is left has frames that were never synced.
  case segmentUnsynced
  /// After a checkpoint has begun the log goes on in the segment that the last record still needs.
  case logReusedEarly

  /// The one that the environment variable `BROKEN_VARIANT` names.
  package static let active = getenv("BROKEN_VARIANT").flatMap { BrokenVariant(rawValue: String(cString: $0)) }
}
#endif
