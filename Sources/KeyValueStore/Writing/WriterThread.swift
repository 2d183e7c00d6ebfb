import Glibc

/// The one thread on which an environment's write transactions run, from their first read to their commit.
///
/// The thread knows the queue and nothing else, so it does not keep the environment alive.
final class WriterThread: Sendable {
  /// Bodies are an application's code, so they get as much stack as a main thread.
  private static let stackBytes = 8 << 20

  let queue: WriterQueue
  private let thread: pthread_t

  /// Starts the thread.
  init(path: String) throws(StoreError) {
    queue = WriterQueue()
    let argument = Unmanaged.passRetained(queue)
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, Self.stackBytes)
    var thread = pthread_t()
    let code = pthread_create(
      &thread, &attributes,
      { argument in
        guard let argument else { return nil }
        let queue = Unmanaged<WriterQueue>.fromOpaque(argument).takeRetainedValue()
        while let write = queue.next() { write.environment.perform(write) }
        return nil
      }, argument.toOpaque())
    guard code == 0 else {
      argument.release()
      throw .system(operation: "Starting the writer thread of", path: path, errno: code)
    }
    self.thread = thread
  }

  /// Whether the calling thread is this one.
  var isCurrent: Bool { pthread_equal(thread, pthread_self()) != 0 }

  /// Ends the thread when all writes are done, and waits for that unless it is the caller itself.
  func stop() {
    queue.stop()
    if isCurrent { pthread_detach(thread) } else { pthread_join(thread, nil) }
  }
}
