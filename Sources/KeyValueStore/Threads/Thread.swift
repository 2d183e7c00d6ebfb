import Glibc

/// Threads of the system.
enum Thread {
  /// Starts a thread that runs `body`; somebody has to join or detach it. `path` is the store it is for, for the error.
  static func start(
    stackBytes: Int, path: String, _ body: @escaping @Sendable () -> Void
  ) throws(StoreError) -> pthread_t {
    let argument = Unmanaged.passRetained(Body(body))
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, stackBytes)
    var thread = pthread_t()
    let code = pthread_create(
      &thread, &attributes,
      { argument in
        if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }, argument.toOpaque())
    guard code == 0 else {
      argument.release()
      throw .system(operation: "Starting a thread of", path: path, errno: code)
    }
    return thread
  }

  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) {
      self.run = run
    }
  }
}
