import Foundation
import SwiftSync

/// Two versions that differ in what a schema does not show, the content of values, and in what rows must have.
enum AlbumsV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Album.self] }

  struct Cover: Codable, Equatable {
    var file: String
  }

  enum Kind: String, Codable { case long, short }

  enum Shape: Codable, Equatable { case round(Int) }

  @Model final class Album {
    @Attribute(.unique) var id: Int
    var cover: Cover
    @Attribute(.externalStorage) var booklet: Cover
    var kind: Kind
    var shape: Shape?

    init(id: Int, file: String, kind: Kind = .long) {
      self.id = id
      cover = Cover(file: file)
      booklet = Cover(file: String(repeating: file, count: 10_000))
      self.kind = kind
      shape = id == 2 ? .round(30) : nil
    }
  }
}

enum AlbumsV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Album.self, Artist.self] }

  struct Cover: Codable, Equatable {
    var path: String
    var width: Int
  }

  enum Kind: String, Codable { case lp, ep }

  enum Shape: Codable, Equatable { case disc(size: Int) }

  @Model final class Album {
    @Attribute(.unique) var id: Int
    var cover: Cover
    @Attribute(.externalStorage) var booklet: Cover
    var kind: Kind
    var shape: Shape?
    /// The rows from before get one value, which must be another one for each.
    @Attribute(.unique) var code: String = "none"
    /// These have to have a value, and the rows from before have none.
    var year: Int
    var genre: Kind
    var artist: Artist

    init(id: Int, artist: Artist) {
      self.id = id
      cover = Cover(path: "", width: 0)
      booklet = Cover(path: "", width: 0)
      kind = .lp
      year = 0
      genre = .lp
      self.artist = artist
    }
  }

  @Model final class Artist {
    var name: String

    init(name: String) {
      self.name = name
    }
  }
}

/// What the stage between them does is the test's.
enum AlbumsPlan: SchemaMigrationPlan {
  @TaskLocal static var willMigrate: MigrationStage.Work?
  @TaskLocal static var didMigrate: MigrationStage.Work?

  static var schemas: [any VersionedSchema.Type] { [AlbumsV1.self, AlbumsV2.self] }
  static var stages: [MigrationStage] {
    [
      .custom(
        fromVersion: AlbumsV1.self, toVersion: AlbumsV2.self, willMigrate: willMigrate, didMigrate: didMigrate)
    ]
  }
}
