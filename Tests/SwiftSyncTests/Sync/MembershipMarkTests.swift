import Foundation
import Observation
import SwiftSync
import Synchronization
import Testing

/// A membership that a sync of records changes is a change of its owner, to whoever follows the store.
@MainActor
@Suite("10.5: A changed membership marks its owner as changed, once, and nobody else") struct MembershipMarkTests {
  let container: SyncContainer
  let dossier: Dossier

  init() async throws {
    container = try SyncContainer.archive()
    try await container.sync(
      item: ["id": 1, "clerks": [["id": "a"], ["id": "b"]]], as: Dossier.self)
    try await container.sync(item: ["id": "c", "name": "C"], as: Clerk.self)
    let dossiers = try container.mainContext.fetch(FetchDescriptor<Dossier>(predicate: #Predicate { $0.id == 1 }))
    dossier = try #require(dossiers.first)
  }

  /// The updates that the last transactions have of each row, as `entity properties`, those after `count` of them.
  private func updates(after count: Int) throws -> [String] {
    try container.mainContext.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).dropFirst(count)
      .flatMap(\.changes).compactMap { change in
        switch change {
        case .update(let update as DefaultHistoryUpdate<Dossier>):
          "Dossier \(update.updatedAttributes == [\Dossier.clerks])"
        case .update(let update): "\(update.changedPersistentIdentifier.entityName)"
        default: nil
        }
      }
  }

  @Test(
    "By identities and by objects, adding, removing and clearing",
    arguments: [
      #"{"id":1,"clerk_ids":["a","b","c"]}"#, #"{"id":1,"clerk_ids":["b"]}"#, #"{"id":1,"clerk_ids":[]}"#,
      #"{"id":1,"clerks":null}"#, #"{"id":1,"clerks":[{"id":"c"},{"id":"a"}]}"#,
    ])
  func changed(_ payload: String) async throws {
    let count = try container.mainContext.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).count
    _ = dossier.clerks.count
    let notices = Atomic(0)
    withObservationTracking {
      _ = dossier.clerks.map(\.id)
    } onChange: {
      notices.add(1, ordering: .relaxed)
    }
    let report = try await container.sync(json: Data(payload.utf8), as: Dossier.self)
    #expect(try updates(after: count) == ["Dossier true"])
    #expect(notices.load(ordering: .relaxed) == 1)
    #expect(report.identities["Dossier"]?.updated == ["1"] && report.entities["Clerk"]?.updated ?? 0 == 0)
  }

  @Test(
    "Not when the set of members stays as it is",
    arguments: [
      #"{"id":1,"clerk_ids":["b","a","a","nobody"]}"#, #"{"id":1}"#, #"{"id":1,"clerk_ids":[1]}"#,
      #"{"id":1,"clerks":[{"id":"b"},{"id":"a"}]}"#,
    ])
  func unchanged(_ payload: String) async throws {
    let count = try container.mainContext.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).count
    let report = try await container.sync(json: Data(payload.utf8), as: Dossier.self)
    #expect(report.changedNothing)
    #expect(try updates(after: count).isEmpty)
  }
}
