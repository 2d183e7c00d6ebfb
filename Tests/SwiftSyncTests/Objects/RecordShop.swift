import Foundation
import SwiftSync

// A graph of hand-written and mapped models: playlists (mapped) have tracks (by hand), which have an album (by hand) and tags
// (mapped).

@Syncable @Model final class Playlist {
  @Attribute(.unique) var id: Int
  var name: String
  @Relationship(inverse: \Track.playlists) var tracks: [Track]

  init(id: Int, name: String) {
    self.id = id
    self.name = name
    tracks = []
  }
}

@Syncable @Model final class Tag {
  @Attribute(.unique) var id: Int
  var name: String
  var parent: Tag?
  @NotExport @Relationship(inverse: \Track.tags) var tracks: [Track]

  init(id: Int, name: String) {
    self.id = id
    self.name = name
    tracks = []
  }
}

enum ShopError: Error, Equatable {
  case forbiddenTitle(String)
}

/// Its identity has a name of its own, its guards throw, and its relationships are applied after a wait.
@Model final class Track {
  @Attribute(.unique) var code: String
  var title: String
  var length: Int?
  var album: Album?
  var tags: [Tag]
  var playlists: [Playlist]
  @Transient var markCount = 0

  init(code: String, title: String) {
    self.code = code
    self.title = title
    tags = []
    playlists = []
  }
}

extension Track: SyncUpdatableModel {
  static var syncIdentity: KeyPath<Track, String> { \.code }
  static var syncIdentityRemoteKeys: [String] { ["catalogueCode", "id"] }

  static func make(from payload: SyncPayload) throws -> Track {
    let code: String = try payload.value(for: "catalogueCode") ?? payload.required(for: "id")
    let track = Track(code: code, title: "")
    _ = try track.apply(payload)
    return track
  }

  func apply(_ payload: SyncPayload) throws -> Bool {
    var isChanged = false
    if payload.contains("title") {
      let title = try payload.required(String.self, for: "title")
      if title == "forbidden" { throw ShopError.forbiddenTitle(code) }
      if title != self.title {
        self.title = title
        isChanged = true
      }
    }
    if payload.contains("length"), payload.value(for: "length") != length {
      length = payload.value(for: "length")
      isChanged = true
    }
    return isChanged
  }

  func applyRelationships(
    _ payload: SyncPayload, in context: ModelContext, operations: SyncRelationshipOperations,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Bool {
    await Gate.current?.pass()
    let album = try SwiftSync.syncApplyToOneForeignKey(
      self, relationship: \.album, payload: payload, keys: ["album_id"], in: context, operations: operations)
    let nestedAlbum = try SwiftSync.syncApplyToOneNestedObject(
      self, relationship: \.album, payload: payload, keys: ["album"], in: context, operations: operations)
    let tags = try SwiftSync.syncApplyToManyForeignKeys(
      self, relationship: \.tags, payload: payload, keys: ["tag_ids"], in: context, operations: operations)
    let nestedTags = try SwiftSync.syncApplyToManyNestedObjects(
      self, relationship: \.tags, payload: payload, keys: ["tags"], in: context, operations: operations)
    return album || nestedAlbum || tags || nestedTags
  }

  func export(keyStyle: KeyStyle, dateFormatter: DateFormatter) -> [String: Any] {
    guard ExportState.enter(self) else { return [:] }
    defer { ExportState.leave(self) }
    var object: [String: Any] = ["id": code, "title": title]
    SwiftSync.exportSetValue(
      SwiftSync.exportEncodeValue(length as Any, dateFormatter: dateFormatter) ?? NSNull(), for: "facts.length",
      into: &object)
    object["playlists"] = playlists.map { $0.export(keyStyle: keyStyle, dateFormatter: dateFormatter) }
    return object
  }

  func syncMarkChanged() {
    markCount += 1
  }
}

/// Overrides the short form of `applyRelationships` only, so operations don't count. No attribute is unique.
@Model final class Album {
  var id: Int
  var title: String
  var artist: Artist?
  @Relationship(inverse: \Track.album) var tracks: [Track]

  init(id: Int, title: String) {
    self.id = id
    self.title = title
    tracks = []
  }
}

extension Album: SyncUpdatableModel {
  static var syncIdentity: KeyPath<Album, Int> { \.id }

  static func make(from payload: SyncPayload) throws -> Album {
    Album(id: try payload.required(for: "id"), title: try payload.required(for: "title"))
  }

  func apply(_ payload: SyncPayload) throws -> Bool {
    guard let title: String = payload.value(for: "title"), title != self.title else { return false }
    self.title = title
    return true
  }

  func applyRelationships(
    _ payload: SyncPayload, in context: ModelContext, isolation: isolated (any Actor)? = #isolation
  ) async throws -> Bool {
    try SwiftSync.syncApplyToOneNestedObject(
      self, relationship: \.artist, payload: payload, keys: ["artist"], in: context)
  }
}

/// The least that a hand-written model is, with an identity that no property stores.
@Model final class Artist {
  var first: String
  var last: String

  init(first: String, last: String) {
    self.first = first
    self.last = last
  }
}

extension Artist: SyncUpdatableModel {
  typealias SyncID = String
  static var syncIdentity: KeyPath<Artist, String> { \.fullName }
  static var syncIdentityRemoteKeys: [String] { ["full_name"] }
  var fullName: String { "\(first) \(last)" }

  static func make(from payload: SyncPayload) throws -> Artist {
    let names = try payload.required(String.self, for: "fullName").split(separator: " ").map(String.init)
    return Artist(first: names.first ?? "", last: names.last ?? "")
  }

  func apply(_ payload: SyncPayload) throws -> Bool { false }
}

/// Holds whoever passes until it is opened, and lets a test wait until somebody is held.
actor Gate {
  @TaskLocal static var current: Gate?

  private var isOpen = false
  private var held: [CheckedContinuation<Void, Never>] = []
  private var waitingForSomebody: [CheckedContinuation<Void, Never>] = []

  func pass() async {
    if isOpen { return }
    await withCheckedContinuation { continuation in
      held.append(continuation)
      for waiting in waitingForSomebody { waiting.resume() }
      waitingForSomebody = []
    }
  }

  func somebodyIsHeld() async {
    if !held.isEmpty { return }
    await withCheckedContinuation { waitingForSomebody.append($0) }
  }

  func open() {
    isOpen = true
    for continuation in held { continuation.resume() }
    held = []
  }
}

func recordShop() throws -> SyncContainer {
  SyncContainer(
    try ModelContainer(
      for: Playlist.self, Track.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
}
