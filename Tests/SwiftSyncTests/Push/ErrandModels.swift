import Foundation
import SwiftSync

/// A model with text identities whose local changes are pushed.
@Syncable @Model final class Errand {
  @Attribute(.unique, .preserveValueOnDeletion) var id: String
  var title: String
  var note: String?
  var stars: Int
  @NotExport var failure: String?
  var round: ErrandRound?
  @Relationship var helpers: [Helper]

  init(id: String, title: String = "", note: String? = nil, stars: Int = 0, round: ErrandRound? = nil) {
    self.id = id
    self.title = title
    self.note = note
    self.stars = stars
    self.round = round
    helpers = []
  }
}

/// One with numbers, that errands lead to.
@Syncable @Model final class ErrandRound {
  @Attribute(.unique, .preserveValueOnDeletion) var id: Int
  var name: String
  @Relationship(deleteRule: .cascade, inverse: \Errand.round) var errands: [Errand]

  init(id: Int, name: String = "") {
    self.id = id
    self.name = name
    errands = []
  }
}

/// One with UUIDs, whose rows lead to one another.
@Syncable @Model final class Spot {
  @Attribute(.unique, .preserveValueOnDeletion) var id: UUID
  var name: String
  var within: Spot?

  init(id: UUID = UUID(), name: String, within: Spot? = nil) {
    self.id = id
    self.name = name
    self.within = within
  }
}

/// A model that is not enabled for offline push.
@Syncable @Model final class Helper {
  @Attribute(.unique) var id: String
  var name: String

  init(id: String, name: String = "") {
    self.id = id
    self.name = name
  }
}

@MainActor
func errandContainer(history: HistoryPolicy = .standard, at url: URL? = nil) throws -> SyncContainer {
  let configuration =
    url.map { ModelConfiguration(url: $0, history: history) }
    ?? ModelConfiguration(isStoredInMemoryOnly: true, history: history)
  return try SyncContainer(
    for: Errand.self, ErrandRound.self, Spot.self, Helper.self, configurations: configuration)
}

extension ModelContext {
  func errand(_ id: String) throws -> Errand? {
    try fetch(FetchDescriptor<Errand>(predicate: #Predicate { $0.id == id })).first
  }

  func addErrand(_ id: String, title: String = "", stars: Int = 0) throws {
    insert(Errand(id: id, title: title, stars: stars))
    try save()
  }

  func editErrand(_ id: String, _ edit: (Errand) -> Void) throws {
    guard let errand = try errand(id) else { return }
    edit(errand)
    try save()
  }

  func deleteErrand(_ id: String) throws {
    guard let errand = try errand(id) else { return }
    delete(errand)
    try save()
  }

  /// What is pending, as text: `+` and what is to be inserted, `~` and what was changed, `-` and what was deleted.
  func pendingText() throws -> String { try SwiftSync.pendingChanges(for: Errand.self, in: self).text }
}

extension SyncPendingChanges {
  var text: String {
    [("+", inserts), ("~", updates), ("-", deletes)].filter { !$0.1.isEmpty }
      .map { $0.0 + $0.1.joined(separator: ",") }.joined(separator: " ")
  }
}

/// What a server says against a change.
struct ServerRefusal: Error, Equatable {
  var text = "refused"
}
