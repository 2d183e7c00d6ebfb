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
    /// The number of the newest snapshot of which it was told that its history cannot be read.
    var unreadable = -1
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
        while try !store.read({ tellNext(&place, in: $0) }) {}
      } catch {
        // A store that is closed: whoever reads next finds out.
        tell(.unknown(stateNumber: nil))
      }
    }
  }

  /// Tells of everything that a snapshot shows and has not been told yet.
  package func catchUp(through snapshot: RecordSnapshot) {
    place.withLock { place in
      while !tellNext(&place, in: snapshot) {}
    }
  }

  /// Tells of a stretch of the history; true when there is no other that could be told of.
  private func tellNext(_ place: inout Place, in snapshot: RecordSnapshot) -> Bool {
    // Another thread may have been told of more than an older snapshot shows.
    if snapshot.number <= max(place.number, place.unreadable) { return true }
    let stretch: HistoryStretch
    do {
      stretch = try snapshot.historyStretch(after: place.token)
    } catch {
      // Told once, or those who are told, and look again, would be told again.
      place.unreadable = snapshot.number
      tell(.unknown(stateNumber: snapshot.number))
      return true
    }
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
