import Dispatch

/// The queue whose jobs are those of the main actor.
enum MainQueue {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// Whether the caller runs on it. The thread does not tell: on Linux the main queue leaves the main thread when an `async`
  /// `main` first suspends.
  static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
}
