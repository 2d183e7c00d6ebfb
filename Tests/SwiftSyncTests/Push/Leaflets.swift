import Foundation
import Records

@testable import SwiftSync

// Leaflets that can be edited offline, in racks and with stamps that cannot.

@Syncable @Model final class Leaflet {
  @Attribute(.unique, .preserveValueOnDeletion) var id: String
  var title: String
  var text: String?
  var updatedAt: Date?
  var rack: Rack?
  @Relationship(inverse: \Stamp.leaflets) var stamps: [Stamp]

  init(id: String, title: String) {
    self.id = id
    self.title = title
    stamps = []
  }
}

@Syncable @Model final class Rack {
  @Attribute(.unique) var id: String
  @NotExport @Relationship(inverse: \Leaflet.rack) var leaflets: [Leaflet]

  init(id: String) {
    self.id = id
    leaflets = []
  }
}

@Syncable @Model final class Stamp {
  @Attribute(.unique) var id: String
  @NotExport var leaflets: [Leaflet]

  init(id: String) {
    self.id = id
    leaflets = []
  }
}

/// A store with the racks x and y, the stamp s, and the leaflets a, b and c in x, as a server has them.
struct LeafletStore {
  let container: SyncContainer

  static let payload = #"""
    [{"id":"a","title":"A","text":"1","updated_at":100,"rack_id":"x","stamp_ids":[]},
    {"id":"b","title":"B","text":"1","updated_at":100,"rack_id":"x","stamp_ids":[]},
    {"id":"c","title":"C","text":"1","updated_at":100,"rack_id":"x","stamp_ids":[]}]
    """#

  init(container: SyncContainer) { self.container = container }

  init(_ conflicts: SyncConflictPolicy = .localWins) async throws {
    container = try SyncContainer(
      for: Leaflet.self, Rack.self, Stamp.self, conflicts: conflicts,
      configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    try await container.sync(payload: [["id": "x"], ["id": "y"]], as: Rack.self)
    try await container.sync(payload: [["id": "s"]], as: Stamp.self)
    try await pull(Self.payload)
  }

  @discardableResult
  func pull(_ json: String, dryRun: Bool = false) async throws -> SyncReport {
    try await container.sync(json: Data(json.utf8), as: Leaflet.self, dryRun: dryRun)
  }

  /// Edits a leaflet here.
  func edit(_ id: String, _ change: (Leaflet) throws -> Void) throws {
    let context = ModelContext(container.modelContainer)
    let leaflets = try context.fetch(FetchDescriptor<Leaflet>(predicate: #Predicate { $0.id == id }))
    for leaflet in leaflets { try change(leaflet) }
    try context.save()
  }

  func delete(_ id: String) throws { try edit(id) { $0.modelContext?.delete($0) } }

  func insert(_ id: String, title: String = "new", in rack: String? = nil) throws {
    let context = ModelContext(container.modelContainer)
    let leaflet = Leaflet(id: id, title: title)
    context.insert(leaflet)
    leaflet.rack = try context.fetch(FetchDescriptor<Rack>()).first { $0.id == rack }
    try context.save()
  }

  /// The leaflets, each as `id title/text/seconds rack stamps`.
  var leaflets: [String] {
    get throws {
      let context = ModelContext(container.modelContainer)
      return try context.fetch(FetchDescriptor<Leaflet>(sortBy: [SortDescriptor(\.id)])).map { leaflet in
        let seconds = leaflet.updatedAt.map { "\(Int($0.timeIntervalSince1970))" } ?? "-"
        let stamps = leaflet.stamps.map(\.id).joined(separator: ",")
        return "\(leaflet.id) \(leaflet.title)/\(leaflet.text ?? "-")/\(seconds) \(leaflet.rack?.id ?? "-") \(stamps)"
      }
    }
  }

  /// The dirty leaflets, each as its identity and the names of what was changed; a deleted one with a minus, a new one with a plus.
  var dirty: [String] {
    get throws {
      try container.modelContainer.core.store.read { snapshot in
        guard let entity = snapshot.catalog.entity(named: "Leaflet"), let identity = entity.identity else { return [] }
        return try snapshot.pushEntries(of: entity).map { entry in
          if case .string(let id) = entry.deletedIdentity { return "-\(id)" }
          let id = try snapshot.withRecord(entry.row, of: entity) { $0.value(identity.field).reportText } ?? "?"
          if entry.isInserted { return "+\(id)" }
          let names =
            entity.attributes.filter { entry.changed.contains($0.propertyIndex) }.map(\.name)
            + entity.relationships.filter { entry.changed.contains($0.propertyIndex) }.map(\.name)
          return "\(id) \(names.joined(separator: ","))"
        }.sorted()
      }
    }
  }
}
