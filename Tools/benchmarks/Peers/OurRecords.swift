import Foundation
import Records

/// The tracker in a store of ours, read as records: what stands under the objects. The store may be open already.
final class OurRecords {
  private let store: RecordStore
  private let task: Entity
  private let identity: Index
  private let title: FieldIndex
  private let text: FieldIndex

  /// The store does not have what the case looks at.
  struct SchemaUnknown: Error {}

  init(at folder: String) throws {
    store = try RecordStore(readingAt: folder)
    guard let task = store.catalog.entity(named: "Task"), let identity = task.identityIndex,
      let title = task.attribute(named: "title")?.field, let text = task.attribute(named: "descriptionText")?.field
    else { throw SchemaUnknown() }
    self.task = task
    self.identity = identity
    self.title = title
    self.text = text
  }

  func close() {
    store.close()
  }

  /// The tasks with these identities.
  func find(_ ids: [UUID]) throws -> Listing {
    try store.read { snapshot in
      var listing = Listing()
      for id in ids {
        try snapshot.withFirstRecord(where: identity, equals: .uuid(id), of: task) { _, record in
          let textBytes = record.isNull(text) ? 0 : record.utf8(text).count
          listing.add(id, textBytes: record.utf8(title).count + textBytes)
        }
      }
      return listing
    }
  }

  /// How many rows and links there are. Takes no time, so that a profile of what came before is not of this.
  func counts() throws -> TrackerAnswers.Counts {
    try store.read { snapshot in
      func rows(_ name: String) throws -> Int { try store.catalog.entity(named: name).map(snapshot.count) ?? 0 }
      func links(_ name: String) throws -> Int {
        try task.relationships.first { $0.name == name }.map(snapshot.linkCount) ?? 0
      }
      return TrackerAnswers.Counts(
        users: try rows("User"), projects: try rows("Project"), tasks: try rows("Task"),
        reviewers: try links("reviewers"), watchers: try links("watchers"))
    }
  }
}
