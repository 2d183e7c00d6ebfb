import Foundation
import SyncEngine
import Testing

@testable import SwiftSync

@MainActor
@Suite("The forms of sync, for hand-written models")
struct ObjectSyncFormTests {
  let container: SyncContainer
  var context: ModelContext { container.mainContext }

  /// Albums 1 to 3 of Ann, with tracks a and b on the first.
  init() throws {
    container = try recordShop()
    let artist = Artist(first: "Ann", last: "Lee")
    for id in 1...3 {
      let album = Album(id: id, title: "t\(id)")
      context.insert(album)
      album.artist = artist
      if id == 1 { album.tracks = [Track(code: "a", title: "A"), Track(code: "b", title: "B")] }
    }
    try context.save()
  }

  private func albums() throws -> [Int] {
    try ModelContext(container.modelContainer).fetch(FetchDescriptor<Album>()).map(\.id).sorted()
  }

  @Test("Deletion is limited by a predicate, or left out")
  func limitedDeletion() async throws {
    try await container.sync(payload: [["id": 1]], as: Album.self, missing: .keep)
    #expect(try albums() == [1, 2, 3])
    let report = try await container.sync(payload: [["id": 1]], as: Album.self, where: #Predicate { $0.id < 3 })
    #expect(try albums() == [1, 3])
    #expect(report.entities["Album"]?.deleted == 1 && report.identities["Album"]?.deleted == ["2"])
  }

  @Test("A dry run tells what would be done, and does nothing")
  func dryRun() async throws {
    let report = try await container.sync(
      payload: [["id": 1, "title": "new"], ["id": 9, "title": "x"]], as: Album.self, dryRun: true)
    #expect(report.isDryRun && report.entities["Album"]?.description == "1 inserted, 1 updated, 2 deleted")
    #expect(try albums() == [1, 2, 3])
  }

  @Test("A dry run counts and names what cascades would delete", arguments: Road.allCases)
  func dryRunOfCascades(road: Road) async throws {
    let archive = try ModelContainer(
      for: Cabinet.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(archive)
    for id in 1...2 {
      let cabinet = Cabinet(id: id, name: "c\(id)")
      context.insert(cabinet)
      cabinet.dossiers = (1...2).map { Dossier(id: 10 * id + $0) }
    }
    try context.save()
    let json = #"[{"id":2},{"id":3,"name":"new"}]"#
    let report = try await archive.sync(json, as: Cabinet.self, by: road, dryRun: true)
    #expect(report.entities["Cabinet"]?.description == "1 inserted, 1 deleted, 1 unchanged")
    #expect(report.entities["Dossier"]?.description == "2 deleted")
    #expect(report.identities["Dossier"]?.deleted == ["11", "12"])
    #expect(try ModelContext(archive).fetchCount(FetchDescriptor<Dossier>()) == 4)
  }

  @Test("Text, envelopes, progress; the report points into the payload")
  func text() async throws {
    let json = Data(#"{"data":{"items":[{"id":"a","tag_ids":[7]},{"title":"nobody"},{"id":"c","title":null}]}}"#.utf8)
    let report = try await container.sync(json: json, as: Track.self, at: "data.items")
    #expect(report.ignoredReferences.map(\.pointer) == ["/data/items/0/tag_ids/0"])
    #expect(report.skippedRows.map(\.pointer) == ["/data/items/1"])
    #expect(report.replacedValues.map(\.pointer) == ["/data/items/2/title"])
    #expect(report.entities["Track"]?.description == "1 inserted, 1 deleted, 1 unchanged")
  }

  @Test("8 For a parent, saved or new in a given context")
  func parents() async throws {
    let ann = try #require(try context.fetch(FetchDescriptor<Artist>()).first)
    try await container.sync(
      payload: [["id": 2], ["id": 8, "title": "x"]], as: Album.self, parent: ann, relationship: \.artist)
    #expect(try albums() == [2, 8])
    let new = Artist(first: "Bo", last: "Day")
    context.insert(new)
    try await context.sync(payload: [["id": 2, "title": "own"]], as: Album.self, parent: new, relationship: \.artist)
    #expect(try albums() == [2, 2, 8] && !context.hasChanges)
    let titles = try context.fetch(FetchDescriptor<Album>()).filter { $0.artist === new }.map(\.title)
    #expect(titles == ["own"])
  }

  @Test("1.8 A failed sync in a given context leaves its unsaved edits")
  func givenContext() async throws {
    let album = try #require(try context.fetch(FetchDescriptor<Album>()).first { $0.id == 1 })
    album.title = "unsaved"
    await #expect(throws: ShopError.forbiddenTitle("b")) {
      try await context.sync(
        payload: [["id": "a", "title": "Z"], ["id": "b", "title": "forbidden"]], as: Track.self)
    }
    #expect(album.title == "unsaved" && album.tracks.map(\.title).sorted() == ["A", "B"])
    try await context.sync(item: ["id": "a", "title": "Z"], as: Track.self)
    #expect(!context.hasChanges && album.tracks.map(\.title).sorted() == ["B", "Z"])
  }
}
