import Foundation
import Testing

@testable import SwiftSync

/// Publishers of queries of every kind, and a judge that knows nothing of the library's means.
///
/// Every query must show what the judge finds from scratch, in the same order. It must have fetched only if the judge says that this may
/// have been necessary, and been refreshed if and only if something that it shows has changed.
@MainActor
struct WatchedQueries {
  @MainActor fileprivate struct Live {
    let query: JudgedQuery
    let publisher: SyncQueryPublisher<Ticket>
    var activity: SyncReadActivity
    var version: Int
  }

  private let container: SyncContainer
  private var live: [Live]
  private var before: PlainTracker

  init(label: UUID, in container: SyncContainer) throws {
    self.container = container
    before = try PlainTracker(of: container.modelContainer)
    live = JudgedQuery.all(label: label).map { query in
      let publisher = SyncQueryPublisher(query.shape, in: container)
      return Live(query: query, publisher: publisher, activity: publisher.activity, version: publisher.snapshot.version)
    }
  }

  /// Judges what the queries show, and what they did for it since the last call. Of several commits one can be a reason for something
  /// that a later one takes back.
  mutating func check(_ place: String, afterSeveral areSeveral: Bool = false) throws {
    let after = try PlainTracker(of: container.modelContainer)
    for index in live.indices {
      let place = "\(place), \(live[index].query.name)"
      live[index].compareRows(after, place)
      live[index].compareActivity(before, after, isExact: !areSeveral, place)
    }
    before = after
  }
}

@MainActor
extension WatchedQueries.Live {
  fileprivate func compareRows(_ after: PlainTracker, _ place: String) {
    let expected = query.rows(in: after)
    #expect(publisher.rows.map(\.persistentModelID) == expected, "\(place)")
    #expect(publisher.failure == nil, "\(place)")
    for row in publisher.rows {
      let plain = after.tickets[row.persistentModelID]
      #expect(row.title == plain?.title && row.estimate == plain?.estimate && row.state == plain?.state, "\(place)")
      #expect(row.project?.persistentModelID == plain?.project, "\(place)")
    }
  }

  fileprivate mutating func compareActivity(
    _ before: PlainTracker, _ after: PlainTracker, isExact: Bool, _ place: String
  ) {
    let activity = publisher.activity
    let fetches = activity.refetches - self.activity.refetches
    let refreshes = activity.refreshes - self.activity.refreshes
    if isExact {
      #expect(fetches <= (query.mayFetch(before, after) ? 1 : 0), "needless fetch: \(place)")
      #expect(fetches + refreshes <= 1, "\(place)")
      if fetches == 0, refreshes == 1 { #expect(query.isRefreshed(before, after), "needless refresh: \(place)") }
    }
    if query.isRefreshed(before, after) { #expect(fetches + refreshes >= 1, "not announced: \(place)") }
    let version = publisher.snapshot.version
    #expect(version == self.version + fetches + refreshes, "\(place)")
    self.activity = activity
    self.version = version
  }
}
