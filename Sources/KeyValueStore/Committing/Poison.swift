import Synchronization

/// Whether something has failed in a way that leaves open what is on the medium. From then on this process writes nothing
/// more to the store; who opens it next recovers it.
final class Poison: Sendable {
  private let files: any FileSystem
  private let paths: StorePaths
  private let flag = Atomic(false)
  private let cause = Monitor<FileError?>(nil)

  init(_ paths: StorePaths, _ files: any FileSystem) {
    self.paths = paths
    self.files = files
  }

  var isSet: Bool { flag.load(ordering: .acquiring) }

  /// What failed first, if it was a file operation.
  var error: FileError? { cause.withLock { $0 } }

  /// What those are told that can't write any more.
  var reopenCause: ReopenCause { ReopenCause(error) }

  func set(_ error: FileError? = nil) {
    cause.withLock { cause in
      if !flag.exchange(true, ordering: .acquiringAndReleasing) { cause = error }
    }
    // Even if something else has failed before: another thread may have been syncing.
    if error?.operation == .sync { markFailedSync() }
  }

  /// After a failed sync the system's cache and the medium differ for good. A process that takes over while others still
  /// have the store open would trust the cache, so it has to be told. Nothing more can be done if this fails too.
  private func markFailedSync() {
    guard let mark = try? files.open(paths[StorePaths.failedSync], for: .creating) else { return }
    try? files.sync(mark)
    if let folder = try? files.open(paths.directory, for: .reading) { try? files.sync(folder) }
  }
}
