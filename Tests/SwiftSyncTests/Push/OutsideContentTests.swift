import Foundation
import Records
import Testing

@testable import SwiftSync

/// A model that is pushed, with a content that lies outside of its records.
@Syncable @Model final class Poster {
  @Attribute(.unique, .preserveValueOnDeletion) var id: String
  var title: String
  @Attribute(.externalStorage) var image: Data?

  init(id: String, title: String) {
    self.id = id
    self.title = title
  }
}

/// What the server was last known to have of a content in external storage is known by its hash.
@MainActor
@Suite struct OutsideContentTests {
  private let container: SyncContainer
  private var context: ModelContext { container.mainContext }

  private static func image(_ number: UInt8) -> Data { Data(repeating: number, count: 40_000) }

  /// A poster as a server has it.
  init() async throws {
    container = try SyncContainer(
      for: Poster.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    try await pull(title: "first", image: 1)
  }

  @discardableResult
  private func pull(title: String, image: UInt8) async throws -> SyncReport {
    let image = Self.image(image).base64EncodedString()
    return try await container.sync(payload: [["id": "a", "title": title, "image": image]], as: Poster.self)
  }

  private func edit(_ change: (Poster) -> Void) throws {
    if let poster = try context.fetch(FetchDescriptor<Poster>()).first { change(poster) }
    try context.save()
  }

  private var changed: [String]? {
    get throws { try SwiftSync.pendingChangeSet(for: Poster.self, in: context)["a"]?.changedProperties }
  }

  @Test func whatWasChangedBackIsNotInThePatch() throws {
    try edit { poster in
      poster.title = "mine"
      poster.image = Self.image(2)
    }
    #expect(try changed == ["title", "image"])
    try edit { $0.image = Self.image(1) }
    #expect(try changed == ["title"])
    try edit { $0.image = nil }
    #expect(try changed == ["title", "image"])
  }

  @Test func contentThatOnlyWasChangedHereIsNoConflict() async throws {
    try edit { $0.image = Self.image(2) }
    let report = try await pull(title: "second", image: 1)
    #expect(report.conflicts.flatMap(\.values).map(\.property) == ["title"])
    #expect(try context.fetch(FetchDescriptor<Poster>()).first?.image == Self.image(2))
  }

  @Test("A content that both sides have changed is told once, and what the server has of it is not kept whole")
  func conflict() async throws {
    try edit { $0.image = Self.image(2) }
    let values = try await pull(title: "first", image: 3).conflicts.flatMap(\.values)
    #expect(values.map(\.property) == ["image"] && values.first?.base == nil)
    #expect(values.first?.local == .data(Self.image(2)) && values.first?.server == .data(Self.image(3)))
    #expect(try await pull(title: "first", image: 3).conflicts.isEmpty)
    let base = try context.core.store.read { snapshot in
      let entity = try #require(snapshot.catalog.entity(named: "Poster"))
      let attribute = try #require(entity.attributes.first { $0.name == "image" })
      let entry = try #require(try snapshot.pushEntries(of: entity).first)
      return try snapshot.pushBase(of: entry.row, entity)?.value(of: attribute.propertyIndex, entity)
    }
    guard case .external(let reference) = base else {
      Issue.record("The base has \(String(describing: base)).")
      return
    }
    #expect(reference.byteCount == 40_000)
    // Both are the same again.
    try edit { $0.image = Self.image(3) }
    #expect(try changed == [])
  }

  @Test("Giving a change up leaves the content to the next pull")
  func discard() async throws {
    try edit { poster in
      poster.title = "mine"
      poster.image = Self.image(2)
    }
    try await container.push(Poster.self) { _ in ["a": .rejected(reason: "no")] }
    #expect(try await container.discard(try #require(try container.pushInbox().first)))
    #expect(
      try context.fetch(FetchDescriptor<Poster>()).map { [$0.title, "\($0.image?.first ?? 0)"] } == [["first", "2"]])
    try await pull(title: "first", image: 1)
    #expect(try context.fetch(FetchDescriptor<Poster>()).first?.image == Self.image(1))
    #expect(try context.core.store.read { try $0.checkInvariants().isEmpty })
  }
}
