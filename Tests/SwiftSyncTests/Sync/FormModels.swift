import Foundation
import SwiftSync

// An archive: cabinets with dossiers, which are numbered through, and with slips, which each cabinet numbers for itself.

@Syncable @Model final class Cabinet {
  @Attribute(.unique) var id: Int
  var name: String
  @NotExport @Relationship(deleteRule: .cascade, inverse: \Dossier.cabinet) var dossiers: [Dossier]

  init(id: Int, name: String) {
    self.id = id
    self.name = name
    dossiers = []
  }
}

@Syncable @Model final class Dossier {
  @Attribute(.unique) var id: Int
  var title: String?
  var pages: Int
  var cabinet: Cabinet?
  var clerks: [Clerk]

  init(id: Int, title: String? = nil, pages: Int = 0, cabinet: Cabinet? = nil) {
    self.id = id
    self.title = title
    self.pages = pages
    self.cabinet = cabinet
    clerks = []
  }
}

@Syncable @Model final class Clerk {
  @Attribute(.unique) var id: String
  var name: String?

  init(id: String, name: String? = nil) {
    self.id = id
    self.name = name
  }
}

@Syncable @Model final class Slip {
  var id: Int
  var text: String?
  var cabinet: Cabinet?

  init(id: Int, text: String? = nil, cabinet: Cabinet? = nil) {
    self.id = id
    self.text = text
    self.cabinet = cabinet
  }
}

/// Not without its cabinet.
@Syncable @Model final class Drawer {
  @Attribute(.unique) var id: Int
  var label: String?
  var cabinet: Cabinet

  init(id: Int, label: String? = nil, cabinet: Cabinet) {
    self.id = id
    self.label = label
    self.cabinet = cabinet
  }
}

extension SyncContainer {
  /// Two cabinets, and the dossiers 1 and 2 on the first, 3 on the second.
  @MainActor static func archive(onPhase: SyncPhaseHandler? = nil) throws -> SyncContainer {
    let container = try SyncContainer(
      for: Dossier.self, Slip.self, Drawer.self, onPhase: onPhase,
      configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = container.mainContext
    let cabinets = [Cabinet(id: 1, name: "a"), Cabinet(id: 2, name: "b")]
    for cabinet in cabinets { context.insert(cabinet) }
    for (id, cabinet) in [(1, 0), (2, 0), (3, 1)] {
      context.insert(Dossier(id: id, title: "t\(id)", pages: id * 100, cabinet: cabinets[cabinet]))
    }
    try context.save()
    return container
  }

  @MainActor func cabinet(_ id: Int) throws -> Cabinet {
    try mainContext.fetch(FetchDescriptor<Cabinet>(predicate: #Predicate { $0.id == id }))[0]
  }

  /// `id title pages cabinet [clerks]` of each dossier, read by a context of its own.
  func dossiers() throws -> [String] {
    try ModelContext(modelContainer).fetch(FetchDescriptor<Dossier>(sortBy: [SortDescriptor(\.id)])).map { dossier in
      let clerks = dossier.clerks.isEmpty ? "" : " \(dossier.clerks.map(\.id).sorted())"
      return
        "\(dossier.id) \(dossier.title ?? "-") \(dossier.pages) \(dossier.cabinet.map { "\($0.id)" } ?? "-")\(clerks)"
    }
  }
}
