import Foundation
import KeyValueStore
import Testing

@testable import Records
@testable import SwiftSync

/// A value that nothing can stand in for, because it must have a name.
struct Outline: Codable, Equatable {
  var name: String
  var corners: [Double]

  init(_ cornerCount: Int) {
    name = "outline"
    corners = (0..<cornerCount).map { Double($0) / 3 }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    name = try container.decode(String.self, forKey: .name)
    corners = try container.decode([Double].self, forKey: .corners)
    if name.isEmpty {
      throw DecodingError.dataCorruptedError(forKey: .name, in: container, debugDescription: "An outline has a name.")
    }
  }
}

@Syncable @Model final class Photograph {
  @Attribute(.unique) var id: Int
  var title: String
  @Attribute(.externalStorage) var image: Data
  @Attribute(.externalStorage) var caption: String?
  @Attribute(.externalStorage) var source: URL?
  @Attribute(.externalStorage) var points: [Int]
  @Attribute(.externalStorage) var outline: Outline = Outline(0)

  init(
    id: Int, title: String = "", image: Data = Data(), caption: String? = nil, source: URL? = nil, points: [Int] = [],
    outline: Outline = Outline(0)
  ) {
    self.id = id
    self.title = title
    self.image = image
    self.caption = caption
    self.source = source
    self.points = points
    self.outline = outline
  }

  /// One whose values are all outside of its record.
  static func large(_ id: Int, _ seed: Int = 0) -> Photograph {
    Photograph(
      id: id, title: "large", image: data(20_000, seed), caption: text(20_000, seed),
      source: URL(string: "https://example.org/" + text(20_000, seed)), points: Array(seed..<(10_000 + seed)),
      outline: Outline(8_000 + seed))
  }

  static func data(_ count: Int, _ seed: Int = 0) -> Data {
    Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &+ seed) })
  }

  static func text(_ count: Int, _ seed: Int = 0) -> String {
    String(decoding: (0..<count).map { UInt8(97 + ($0 + seed) % 26) }, as: UTF8.self)
  }

  /// What all its attributes are.
  var content: [AnyHashable?] { [id, title, image, caption, source, points, outline.corners] }
}

func photographContainer() throws -> ModelContainer {
  try ModelContainer(for: Photograph.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
}

extension ModelContext {
  func photograph(_ id: Int) throws -> Photograph {
    try #require(try fetch(FetchDescriptor<Photograph>(predicate: #Predicate { $0.id == id })).first)
  }
}

extension ModelContainer {
  /// Replaces a content outside of a photograph's record behind the library's back.
  func damage(_ attribute: String, of photograph: Photograph) throws {
    let entity = try #require(core.store.catalog.entity(named: "Photograph"))
    let row = try #require(photograph._$backing.storedRow)
    let key = ContentKey(row: row, attribute: try #require(entity.attribute(named: attribute)), of: entity)
    let bytes = key.withBytes { [UInt8]($0) }
    let table = try core.store.environment.table("b.\(entity.id.rawValue)")
    try core.store.environment.write { transaction in
      #expect(try transaction.contains(bytes, in: table))
      try transaction.put([1, 2, 3], for: bytes, in: table)
    }
  }
}
