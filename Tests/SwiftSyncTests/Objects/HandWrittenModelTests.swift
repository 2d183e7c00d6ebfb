import Foundation
import SyncEngine
import Testing

@testable import SwiftSync

@MainActor
@Suite("Hand-written models: syncs of objects, mixed with mapped ones")
struct HandWrittenModelTests {
  let container: SyncContainer
  var context: ModelContext { container.mainContext }

  init() throws {
    container = try recordShop()
  }

  /// A line for each track: `code title length album [tags]`.
  private func tracks() throws -> [String] {
    let context = ModelContext(container.modelContainer)
    return try context.fetch(FetchDescriptor<Track>(sortBy: [SortDescriptor(\.code)])).map { track in
      let length = track.length.map { "\($0)" } ?? "-"
      let album = track.album.map { "\($0.title)" } ?? "-"
      return "\(track.code) \(track.title) \(length) \(album) \(track.tags.map(\.name).sorted())"
    }
  }

  @Test("7.2 A collection inserts, updates, links and deletes; the report counts it")
  func collection() async throws {
    context.insert(Album(id: 1, title: "Blue"))
    context.insert(Tag(id: 1, name: "jazz"))
    context.insert(Tag(id: 2, name: "live"))
    context.insert(Track(code: "a", title: "A"))
    context.insert(Track(code: "b", title: "B"))
    context.insert(Track(code: "gone", title: "G"))
    try context.save()
    let report = try await container.sync(
      payload: [
        ["id": "a", "title": "A", "album_id": 1, "tag_ids": [1, 2, 9]], ["catalogue_code": "b"], ["title": "nobody"],
        ["id": "c", "title": NSNull(), "length": "31", "tags": [["id": 3, "name": "new"]]],
      ], as: Track.self)
    #expect(try tracks() == ["a A - Blue [\"jazz\", \"live\"]", "b B - - []", "c  31 - [\"new\"]"])
    #expect(report.entities["Track"]?.description == "1 inserted, 1 updated, 1 deleted, 1 unchanged, 4 linked")
    #expect(report.entities["Tag"]?.inserted == 1)
    #expect(report.skippedRows.map(\.row) == [2])
    #expect(report.ignoredReferences.map(\.value) == ["9"])
    #expect(report.replacedValues.map(\.key) == ["title"])
  }

  @Test("7.3 The same payload again changes nothing and saves nothing")
  func idempotence() async throws {
    let payload: [[String: Any]] = [["id": "a", "title": "A", "tags": [["id": 3, "name": "new"]]]]
    try await container.sync(payload: payload, as: Track.self)
    let token = container.modelContainer.metrics.commits
    let report = try await container.sync(payload: payload, as: Track.self)
    #expect(report.changedNothing && report.entities["Track"]?.unchanged == 1)
    #expect(container.modelContainer.metrics.commits == token)
  }

  @Test("7.2-4, B-12 Payloads that are none are refused, and delete nothing")
  func shapes() async throws {
    context.insert(Track(code: "a", title: "A"))
    try context.save()
    let shape = SyncError.invalidPayload(model: "Track", reason: "Expected array of dictionaries")
    await #expect(throws: shape) { try await container.sync(payload: [1], as: Track.self) }
    let nobody = SyncError.invalidPayload(
      model: "Track", reason: "none of the 1 rows has an identity (looked for under catalogueCode, id)")
    await #expect(throws: nobody) { try await container.sync(payload: [["name": "x"]], as: Track.self) }
    #expect(try tracks().count == 1)
    try await container.sync(item: ["title": "nobody"], as: Track.self)
    try await container.sync(payload: [], as: Track.self)
    #expect(try tracks().isEmpty)
  }

  @Test("B-13 What a guard throws is what the call throws; store and main context are as they were")
  func guards() async throws {
    let track = Track(code: "a", title: "A")
    context.insert(track)
    try context.save()
    track.length = 5
    await #expect(throws: ShopError.forbiddenTitle("b")) {
      try await container.sync(
        payload: [["id": "a", "title": "Z", "tags": [["id": 1, "name": "t"]]], ["id": "b", "title": "forbidden"]],
        as: Track.self)
    }
    #expect(try tracks() == ["a A - - []"])
    #expect(track.length == 5 && context.changedModelsArray.count == 1)
  }

  @Test("B-21 Mapped models lead to hand-written ones and the reverse, at every depth")
  func mixedGraph() async throws {
    let item: [String: Any] = [
      "id": 1, "name": "Mix",
      "tracks": [
        [
          "id": "a", "title": "A", "album": ["id": 4, "title": "Blue", "artist": ["fullName": "Ann Lee"]],
          "tags": [["id": 1, "name": "jazz", "parent": ["id": 2, "name": "music"]]],
        ]
      ],
    ]
    let report = try await container.sync(item: item, as: Playlist.self)
    for name in ["Playlist", "Track", "Album", "Artist"] { #expect(report.entities[name]?.inserted == 1) }
    #expect(report.entities["Tag"]?.inserted == 2)
    #expect(try tracks() == ["a A - Blue [\"jazz\"]"])
    let playlist = try #require(try context.fetch(FetchDescriptor<Playlist>()).first)
    #expect(playlist.tracks.first?.album?.artist?.fullName == "Ann Lee")
    #expect(playlist.tracks.first?.tags.first?.parent?.name == "music")
    let again = try await container.sync(item: item, as: Playlist.self)
    #expect(again.changedNothing)
    // Tags lead to tracks, so that a mapped model at the far end goes by objects too.
    try await container.sync(payload: [["id": 1, "track_ids": ["a"]], ["id": 5, "name": "x"]], as: Tag.self)
    #expect(try tracks() == ["a A - Blue [\"jazz\"]"])
  }

  @Test("B-22 A row may refer to one that a later row makes")
  func forwardReferences() async throws {
    try await container.sync(
      payload: [
        ["id": "a", "title": "A", "album_id": 7, "tag_ids": [1, 2]],
        ["id": "b", "title": "B", "album": ["id": 7, "title": "Late"], "tags": [["id": 2, "name": "two"]]],
      ], as: Track.self)
    #expect(try tracks() == ["a A - Late [\"two\"]", "b B - Late [\"two\"]"])
  }

  @Test("1.3 A class that overrides the short form only is asked whatever the operations, which then don't count")
  func shortForm() async throws {
    context.insert(Artist(first: "Ann", last: "Lee"))
    context.insert(Album(id: 1, title: "Blue"))
    try context.save()
    let item: [String: Any] = ["id": 1, "artist": ["full_name": "Bo Day"]]
    try await container.sync(item: item, as: Album.self, relationshipOperations: .insert)
    #expect(try context.fetch(FetchDescriptor<Artist>()).count == 1)
    try await container.sync(item: item, as: Album.self, relationshipOperations: .delete)
    #expect(try context.fetch(FetchDescriptor<Album>()).first?.artist?.fullName == "Bo Day")
  }

  @Test("10.5 syncMarkChanged is called once for each change of members, and never without one")
  func markChanged() throws {
    let track = Track(code: "a", title: "A")
    context.insert(track)
    for id in 1...3 { context.insert(Tag(id: id, name: "t\(id)")) }
    for (ids, isChanged) in [([1, 2], true), ([2, 1], false), ([3], true), ([], true), ([], false)] {
      let count = track.markCount
      let changed = try SwiftSync.syncApplyToManyForeignKeys(
        track, relationship: \.tags, payload: SyncPayload(values: ["tag_ids": ids]), keys: ["tag_ids"], in: context)
      #expect(changed == isChanged && track.markCount == count + (isChanged ? 1 : 0))
      #expect(track.tags.map(\.id) == ids.sorted() || !isChanged)
    }
  }

  @Test("10.2 Between models that are not synced only clearing works")
  func plainModels() throws {
    let ticket = Ticket(id: 1, title: "")
    ticket.watchers = [Watcher(address: "w")]
    context.insert(Tag(id: 1, name: ""))
    func apply(_ value: Any, _ operations: SyncRelationshipOperations = .all) throws -> Bool {
      try SwiftSync.syncApplyToManyForeignKeys(
        ticket, relationship: \.watchers, payload: SyncPayload(values: ["watcher_ids": value]), keys: ["watcher_ids"],
        in: context, operations: operations)
    }
    #expect(try !apply([1]))
    #expect(try !apply(NSNull(), [.insert, .update]))
    #expect(try apply([Any]()))
    #expect(ticket.watchers.isEmpty)
  }

  @Test("B-23 Rows with one identity: the oldest is linked and changed, a collection removes the others")
  func duplicates() async throws {
    for title in ["first", "second"] { context.insert(Album(id: 1, title: title)) }
    context.insert(Track(code: "a", title: "A"))
    try context.save()
    try await container.sync(item: ["id": "a", "album_id": 1], as: Track.self)
    #expect(try tracks() == ["a A - first []"])
    try await container.sync(item: ["id": 1, "title": "one"], as: Album.self)
    #expect(try tracks() == ["a A - one []"])
    let report = try await container.sync(payload: [["id": 1], ["id": 2, "title": "x"]], as: Album.self)
    #expect(report.removedDuplicates.map(\.count) == [1])
    #expect(report.entities["Album"]?.description == "1 inserted, 1 deleted, 1 unchanged")
  }

  @Test("11 Exports of mapped and hand-written models lead through each other, and cycles end")
  func export() throws {
    let playlist = Playlist(id: 1, name: "Mix")
    let track = Track(code: "a", title: "A")
    playlist.tracks = [track]
    let object = container.export(playlist)
    let exported = try #require((object["tracks"] as? [[String: Any]])?.first)
    #expect(exported["id"] as? String == "a" && exported["facts"] as? [String: NSNull] == ["length": NSNull()])
    #expect((exported["playlists"] as? [[String: Any]])?.first?.isEmpty == true)
    #expect(container.export(track)["title"] as? String == "A")
    #expect(container.export(Album(id: 1, title: "")).isEmpty)
  }

  @Test("11.3 Values as an export has them")
  func exportedValues() {
    let formatter = DateFormatter.syncDefault()
    func encode(_ value: Any) -> Any? { SwiftSync.exportEncodeValue(value, dateFormatter: formatter) }
    #expect(encode(Int8(5)) as? Int == 5 && encode(UInt16(5)) as? UInt == 5 && encode(Int64(5)) as? Int64 == 5)
    #expect(encode(true) as? Bool == true && encode("a") as? String == "a" && encode(1.5) as? Double == 1.5)
    #expect(encode(Decimal(string: "1.50") as Any) is NSDecimalNumber)
    #expect(encode(Date(timeIntervalSince1970: 0)) as? String == "1970-01-01T00:00:00.000Z")
    #expect(encode(Data([1, 2])) as? String == "AQI=" && encode(["a", "b"]) as? [String] == ["a", "b"])
    #expect(encode(TicketState.closed) as? String == "closed")
    #expect(encode(Optional<Int>.none as Any) == nil && encode(Double.nan) == nil && encode(Track.self) == nil)
    var object: [String: Any] = [:]
    SwiftSync.exportSetValue(1, for: "a", into: &object)
    SwiftSync.exportSetValue(2, for: "a.b", into: &object)
    #expect(object["a"] as? [String: Int] == ["b": 2])
  }
}
