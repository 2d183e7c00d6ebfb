import Foundation
import Records
import Synchronization
import TestSupport
import Testing

@testable import SwiftSync

@Suite("Migrations: stages fill what the new version's classes cannot read or must have")
struct ContentMigrationTests {
  private let folder: TemporaryFolder
  private let configuration: ModelConfiguration

  init() throws {
    folder = try TemporaryFolder()
    configuration = ModelConfiguration(url: URL(fileURLWithPath: folder["store"]))
    let container = try ModelContainer(for: Schema(versionedSchema: AlbumsV1.self), configurations: configuration)
    defer { container.close() }
    let context = ModelContext(container)
    context.insert(AlbumsV1.Album(id: 1, file: "one"))
    context.insert(AlbumsV1.Album(id: 2, file: "two", kind: .short))
    try context.save()
  }

  private func migrate(
    _ willMigrate: MigrationStage.Work? = nil, _ didMigrate: MigrationStage.Work? = nil
  ) throws -> ModelContainer {
    try AlbumsPlan.$willMigrate.withValue(willMigrate) {
      try AlbumsPlan.$didMigrate.withValue(didMigrate) {
        try ModelContainer(
          for: AlbumsV2.Album.self, AlbumsV2.Artist.self, migrationPlan: AlbumsPlan.self, configurations: configuration)
      }
    }
  }

  /// Gives a row everything that the new version asks for.
  private static func fill(_ album: AlbumsV2.Album, cover: String = "x", code: String, by artist: AlbumsV2.Artist) {
    album.cover = AlbumsV2.Cover(path: cover, width: 10 * album.id)
    album.booklet = AlbumsV2.Cover(path: String(repeating: cover, count: 9_000), width: 1)
    album.kind = album.id == 1 ? .lp : .ep
    album.shape = .disc(size: album.id)
    album.code = code
    album.year = 1970 + album.id
    album.genre = .lp
    album.artist = artist
  }

  private static let all = FetchDescriptor<AlbumsV2.Album>(sortBy: [SortDescriptor(\.id)])

  @Test func whatTheEarlierVersionReadsIsWrittenInTheFormOfTheLater() throws {
    let covers = Mutex<[Int: String]>([:])
    let container = try migrate { context in
      let albums = try context.fetch(FetchDescriptor<AlbumsV1.Album>())
      for album in albums { #expect(album.booklet.file.count == 30_000) }
      covers.withLock { $0 = Dictionary(uniqueKeysWithValues: albums.map { ($0.id, $0.cover.file) }) }
    } _: { context in
      let artist = AlbumsV2.Artist(name: "her")
      context.insert(artist)
      for album in try context.fetch(Self.all) {
        // What is not filled yet reads as nothing, or as its declaration says.
        #expect(album.cover == AlbumsV2.Cover(path: "", width: 0) && album.booklet == album.cover)
        #expect(album.shape == nil && album.code == "none" && album.year == 0 && album.artist.isDeleted)
        Self.fill(album, cover: covers.withLock { $0[album.id] ?? "" }, code: "c\(album.id)", by: artist)
      }
    }
    defer { container.close() }
    let albums = try ModelContext(container).fetch(Self.all)
    #expect(albums.map(\.cover) == [AlbumsV2.Cover(path: "one", width: 10), AlbumsV2.Cover(path: "two", width: 20)])
    #expect(albums.map(\.booklet.path.count) == [27_000, 27_000])
    #expect(albums.map(\.kind) == [.lp, .ep] && albums.map(\.genre) == [.lp, .lp])
    #expect(albums.map(\.shape) == [.disc(size: 1), .disc(size: 2)])
    #expect(albums.map(\.code) == ["c1", "c2"] && albums.map(\.year) == [1971, 1972])
    #expect(albums.map(\.artist.name) == ["her", "her"])
    #expect(try container.core.store.read { try $0.checkInvariants() }.isEmpty)
  }

  /// The constraint is in force afterwards, and its index leads to the rows.
  @Test func whatWasFilledIsConstrained() throws {
    let container = try migrate(nil) { context in
      let artist = AlbumsV2.Artist(name: "her")
      for album in try context.fetch(Self.all) { Self.fill(album, code: "c\(album.id)", by: artist) }
    }
    defer { container.close() }
    let context = ModelContext(container)
    let found = try context.fetch(FetchDescriptor<AlbumsV2.Album>(predicate: #Predicate { $0.code == "c2" }))
    #expect(found.map(\.id) == [2])
    found.first?.code = "c1"
    #expect(throws: RecordError.self) { try context.save() }
  }

  @Test func rowsThatCannotBeReadCanBeDeleted() throws {
    let container = try migrate(nil) { try $0.delete(model: AlbumsV2.Album.self) }
    defer { container.close() }
    #expect(try ModelContext(container).fetchCount(Self.all) == 0)
    #expect(try container.core.store.read { try $0.checkInvariants() }.isEmpty)
  }

  // MARK: What is not filled

  struct Omission: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var isMeant: @Sendable (any Error) -> Bool
    var fill: @Sendable (AlbumsV2.Album, AlbumsV2.Artist) -> Void
  }

  static let omissions: [Omission] = {
    let row = RowNumber(rawValue: 2)
    return [
      Omission(testDescription: "a content of the earlier form") { error in
        guard case ModelError.unreadableValue("Album", 2, "cover", _) = error else { return false }
        return true
      } fill: { album, artist in
        if album.id == 1 { return fill(album, code: "c", by: artist) }
        album.booklet = AlbumsV2.Cover(path: "", width: 0)
        album.kind = .lp
        album.shape = nil
        album.code = "d"
        album.year = 1
        album.genre = .lp
        album.artist = artist
      },
      Omission(testDescription: "a unique value") { error in
        error as? RecordError
          == .uniqueConflict(
            entity: "Album", attributes: ["code"], value: "\"c\"", row: RowNumber(rawValue: 1), otherRow: row)
      } fill: {
        fill($0, code: "c", by: $1)
      },
      Omission(testDescription: "a row that is never written") { error in
        guard case ModelError.unreadableValue("Album", 2, _, _) = error else { return false }
        return true
      } fill: {
        if $0.id == 1 { fill($0, code: "c", by: $1) }
      },
      Omission(testDescription: "a value of a row that is written") { error in
        error as? RecordError == .missingRequiredValue(entity: "Album", attribute: "year")
      } fill: { album, artist in
        album.code = "c\(album.id)"
      },
    ]
  }()

  @Test(arguments: omissions)
  func whatIsLeftOutIsNamedAndTheStoreStaysAsItWas(omission: Omission) throws {
    for _ in 0..<2 {
      #expect {
        try migrate(nil) { context in
          let artist = AlbumsV2.Artist(name: "her")
          context.insert(artist)
          for album in try context.fetch(Self.all) { omission.fill(album, artist) }
        }
      } throws: { omission.isMeant($0) }
    }
    let container = try ModelContainer(for: Schema(versionedSchema: AlbumsV1.self), configurations: configuration)
    defer { container.close() }
    let albums = try ModelContext(container).fetch(FetchDescriptor<AlbumsV1.Album>(sortBy: [SortDescriptor(\.id)]))
    #expect(albums.map(\.cover.file) == ["one", "two"] && albums.map(\.kind) == [.long, .short])
  }

  /// Without anything that might fill them, values are missed before anything is done.
  @Test func stageWithoutWorkNeedsRowsThatFit() throws {
    #expect(
      throws: RecordError.schemaMismatch([
        .defaultMissing(entity: "Album", attribute: "year"), .defaultMissing(entity: "Album", attribute: "genre"),
      ])
    ) { try migrate() }
  }
}
