/// How the tool ends.
enum ExitStatus: Int32 {
  case success = 0
  /// Something is wrong with the store, or the work could not be done.
  case problem = 1
  /// The line makes no sense; the number is that of `sysexits.h`.
  case usage = 64
}
