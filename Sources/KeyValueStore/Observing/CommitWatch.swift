import Glibc
import Synchronization

/// Keeps a handler of `Environment.watchCommits` registered for as long as it lives.
public final class CommitWatch: Sendable {
  private let notifications: WriteNotifications

  fileprivate init(_ notifications: WriteNotifications) {
    self.notifications = notifications
  }

  deinit {
    notifications.end()
  }
}

extension Environment {
  /// Calls `handler` when snapshots show commits that they did not show before, of any process, for as long as the result lives.
  ///
  /// This is how a process that only reads follows the one that writes. The system tells of writes to the data file, so nothing
  /// is done while nobody commits, and the writer does nothing for it. Many commits may be told of by one call. It is made on a thread
  /// that does nothing else, which may read the store; a call that has begun may end after the watch does.
  ///
  /// - Throws: `StoreError.system` when the system watches no more files for this user, `StoreError.closed`.
  public func watchCommits(_ handler: @escaping @Sendable () -> Void) throws -> CommitWatch {
    try checkOpen()
    return try CommitWatcher.start(core, handler)
  }
}

/// The thread of a `CommitWatch`.
///
/// LMDB publishes a commit by writing its pages, then the meta page, each with a system call that the system tells of, and last
/// a number in the shared memory of `lock.mdb`, of which nobody is told. Who looks at once after the meta page was written may be
/// before that number, and would wait for ever; so as long as the meta page is ahead of the number, it looks again.
private struct CommitWatcher: Sendable {
  private static let stackBytes = 512 << 10
  /// After a look there is none for so long: a commit writes many pages.
  private static let restMicroseconds: UInt32 = 1000
  /// When to look again at a commit that is not visible yet, in milliseconds: soon at first. It becomes long only if the writer died
  /// there, and then the next writer goes on.
  private static let lookAgainMilliseconds: ClosedRange<Int32> = 1...1000

  let core: EnvironmentCore
  let notifications: WriteNotifications
  let handler: @Sendable () -> Void

  static func start(_ core: EnvironmentCore, _ handler: @escaping @Sendable () -> Void) throws(StoreError)
    -> CommitWatch
  {
    guard let data = core.resources?.data.file else { throw .closed(path: core.directory) }
    let notifications = try WriteNotifications(of: data, path: core.directory)
    // Only now, so that what comes behind it is notified.
    let known = try core.commitNumbers()
    let watcher = CommitWatcher(core: core, notifications: notifications, handler: handler)
    pthread_detach(try Thread.start(stackBytes: stackBytes, path: core.directory) { watcher.run(after: known) })
    return CommitWatch(notifications)
  }

  private func run(after known: CommitNumbers) {
    var known = known
    var timeout: Int32 = known.isAllVisible ? -1 : Self.lookAgainMilliseconds.lowerBound
    while notifications.wait(timeout) {
      let seen = known.visible
      do {
        known = try core.commitNumbers()
      } catch {
        // Whoever is told now finds out by reading.
        return handler()
      }
      if known.visible != seen { handler() }
      if known.isAllVisible {
        timeout = -1
      } else if known.visible != seen || timeout < 0 {
        timeout = Self.lookAgainMilliseconds.lowerBound
      } else {
        timeout = min(2 * timeout, Self.lookAgainMilliseconds.upperBound)
      }
      usleep(Self.restMicroseconds)
    }
  }
}

/// What the system tells of writes to a file.
private final class WriteNotifications: Sendable {
  private let descriptor: Int32
  private let watch: Int32
  private let isOver = Atomic(false)

  init(of file: OpenFile, path: String) throws(StoreError) {
    descriptor = inotify_init1(Int32(O_CLOEXEC | O_NONBLOCK))
    if descriptor < 0 { throw Self.refusal(path) }
    // The file itself, whatever name it has by now. A store in memory has none.
    watch = inotify_add_watch(descriptor, "/proc/self/fd/\(file.descriptor)", UInt32(IN_MODIFY))
    if watch < 0 {
      let refusal = Self.refusal(path)
      close(descriptor)
      throw refusal
    }
  }

  private static func refusal(_ path: String) -> StoreError {
    .system(operation: "Watching the data file of", path: path, errno: errno)
  }

  deinit {
    close(descriptor)
  }

  /// Has `wait` return at once from now on.
  func end() {
    isOver.store(true, ordering: .releasing)
    // The system notifies of this too.
    inotify_rm_watch(descriptor, watch)
  }

  /// Waits until the file was written to or the time, in milliseconds, is over; false after the end.
  func wait(_ timeout: Int32) -> Bool {
    var awaited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    poll(&awaited, 1, timeout)
    // What the notifications say is known: that there were some.
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: MemoryLayout<inotify_event>.alignment) { buffer in
      while read(descriptor, buffer.baseAddress, buffer.count) > 0 {}
    }
    return !isOver.load(ordering: .acquiring)
  }
}
