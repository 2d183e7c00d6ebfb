import KeyValueStore
import Synchronization

/// What somebody learns who follows a store that others write.
package enum FollowedChanges: Sendable {
  /// What a commit did.
  case committed(ChangeSet)
  /// That there were commits of which it is not known what they did. Snapshots with this number or a higher one show all of them;
  /// nil if that is not known either.
  case unknown(stateNumber: Int?)
}

/// Tells of the commits of other handles and processes, by reading the store's history after each of them.
///
/// It hears of commits from `Environment.watchCommits`, a few milliseconds after them; whoever needs to know of all that a snapshot
/// shows calls `catchUp(through:)`. What is told is in the order of the commits, and each is told once.
package final class ChangeFollower: Sendable {
  private struct Place {
    /// The number of the newest snapshot that was looked at.
    var number: Int
    /// Up to here everything is told.
    var token: HistoryToken
  }

  private let store: RecordStore
  private let place: Mutex<Place>
  private let watch = Mutex<CommitWatch?>(nil)
  private let tell: @Sendable (FollowedChanges) -> Void

  /// Begins to follow a store. `tell` is called for as long as the follower lives, by one thread at a time; it must be quick, and
  /// must not call back.
  ///
  /// - Throws: as `Environment.watchCommits`; what reading throws.
  package init(_ store: RecordStore, _ tell: @escaping @Sendable (FollowedChanges) -> Void) throws {
    self.store = store
    self.tell = tell
    place = Mutex(try store.read { Place(number: $0.number, token: try $0.lastHistoryToken()) })
    let watch = try store.environment.watchCommits { [weak self] in self?.catchUp() }
    self.watch.withLock { $0 = watch }
    // What came in between was not told of.
    catchUp()
  }

  /// Tells of everything that has been published and not been told yet.
  package func catchUp() {
    place.withLock { place in
      do {
        while try !store.read({ try tellNext(&place, in: $0) }) {}
      } catch {
        noteFailure()
      }
    }
  }

  /// Tells of everything that a snapshot shows and has not been told yet.
  package func catchUp(through snapshot: RecordSnapshot) {
    place.withLock { place in
      do {
        while try !tellNext(&place, in: snapshot) {}
      } catch {
        noteFailure()
      }
    }
  }

  /// A store that is closed, damaged or has another schema by now: whoever reads next finds out.
  private func noteFailure() {
    tell(.unknown(stateNumber: nil))
  }

  /// Tells of a stretch of the history; true when it was the last one.
  private func tellNext(_ place: inout Place, in snapshot: RecordSnapshot) throws -> Bool {
    // Another thread may have been told of more than an older snapshot shows.
    if snapshot.number <= place.number { return true }
    let stretch = try snapshot.historyStretch(after: place.token)
    for var changes in stretch.changes {
      changes.stateNumber = snapshot.number
      tell(.committed(changes))
    }
    if stretch.gap != nil { tell(.unknown(stateNumber: snapshot.number)) }
    place.token = stretch.end
    if stretch.isLast { place.number = snapshot.number }
    return stretch.isLast
  }
}
