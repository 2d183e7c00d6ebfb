#if BROKEN_VARIANTS
import Glibc

/// Ways to be wrong, for the crash campaign to show that it notices. None of it exists in an ordinary build.
package enum BrokenVariant: String, CaseIterable, Sendable {
  /// Nothing keeps the pages of the checkpoint's snapshot.
  case noPin
  /// The old pin goes before the new record is on the medium.
  case pinReleasedEarly
  /// Frames do not depend on the ones before.
  case unchainedFrames
  /// A new timeline goes on where the last ended, with the old numbers.
  case noFreshTimeline

  /// The one that the environment variable `BROKEN_VARIANT` names.
  package static let active = getenv("BROKEN_VARIANT").flatMap { BrokenVariant(rawValue: String(cString: $0)) }
}
#endif
