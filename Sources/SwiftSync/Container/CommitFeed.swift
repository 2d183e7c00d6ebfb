import Records
import Synchronization

/// Puts the change set of every commit into the mailboxes of a container's contexts.
///
/// There is one observer of commits for all of them, because registering one waits for the writer, and making a context must
/// not.
final class CommitFeed: Sendable {
  private struct Subscription {
    weak var mailbox: ChangeMailbox?
  }

  private let subscriptions = Mutex<[Subscription]>([])

  /// Every commit that ends from now on reaches the mailbox, as long as it is there.
  func add(_ mailbox: ChangeMailbox) {
    subscriptions.withLock { subscriptions in
      subscriptions.removeAll { $0.mailbox == nil }
      subscriptions.append(Subscription(mailbox: mailbox))
    }
  }

  func deliver(_ changes: ChangeSet) {
    for subscription in subscriptions.withLock({ $0 }) { subscription.mailbox?.post(changes) }
  }
}
