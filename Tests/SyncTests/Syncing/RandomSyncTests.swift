import Foundation
import Records
import TestSupport
import Testing

@testable import Sync
@testable import SyncEngine

@Suite("CD-4 CD-5 What a sync comes to does not depend on how it is given")
struct RandomSyncTests {
  /// Trees of nodes with lists of every kind, and an entity that is a special case of another.
  private static func world() throws -> SyncWorld {
    try SyncWorld {
      ModelEntity("Node") {
        ModelAttribute("id", .integer32)
        ModelAttribute("name", .string, default: "new")
        ModelRelationship.toOne("owner", "Node", inverse: "parts")
        ModelRelationship.toMany("parts", "Node", inverse: "owner", isOrdered: true, deleteRule: .cascade)
        ModelRelationship.toMany("tags", "Tag", inverse: "nodes")
        ModelRelationship.toMany("notes", "Note", inverse: "node", userInfo: ["sync.remoteKey": "list"])
        ModelRelationship.toOne("place", "Place")
      }
      ModelEntity("Tag") {
        ModelAttribute("id", .string)
        ModelAttribute("label", .string)
        ModelRelationship.toMany("nodes", "Node", inverse: "tags")
      }
      ModelEntity("Label", parent: "Tag") { ModelAttribute("colour", .integer16) }
      ModelEntity("Note") {
        ModelAttribute("id", .integer64)
        ModelRelationship.toOne("node", "Node", inverse: "notes")
      }
      ModelEntity("Place") { ModelAttribute("city", .string) }
    }
  }

  private static let entities = ["Node", "Tag", "Label", "Note", "Place"]

  private func state(_ world: SyncWorld) throws -> [[String]] { try Self.entities.map { try world.objects($0) } }

  /// One payload, given as text, in windows as small as possible, and as dictionaries; and each of these again.
  @Test(
    "CD-4.1 CD-5.7 Text, windows of it and dictionaries come to the same, and nothing changes the second time",
    arguments: 1...6)
  func forms(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let worlds = try (0..<3).map { _ in try Self.world() }
    for step in 0..<60 {
      let entity = ["Node", "Node", "Node", "Tag", "Label", "Note"][random.below(6)]
      let payload = self.payload(entity, &random)
      let text = try JSONSerialization.data(withJSONObject: payload, options: .sortedKeys)
      let options = random.chance(50) ? .all : Sync.OperationOptions(rawValue: random.below(64))
      let predicate = entity == "Node" && random.chance(20) ? Key("name") == "a" : nil
      let documents = [
        try PayloadDocument(json: text),
        try PayloadDocument(.data(text), .json, rowsAt: PayloadPath(), windowBytes: 1),
        try PayloadDocument(payload),
      ]
      for round in 1...2 {
        var outcomes: [String] = []
        for (world, document) in zip(worlds, documents) {
          let before = try state(world)
          do {
            try await world.runAlone(
              EntitySyncRequest(entity: entity, document: document, predicate: predicate, operations: options))
            let after = try state(world)
            if round == 2 { #expect(before == after, "\(step) \(String(decoding: text, as: UTF8.self))") }
            outcomes.append("\(after)")
          } catch {
            #expect(try state(world) == before)
            outcomes.append("\(type(of: error))")
          }
        }
        try #require(
          Set(outcomes).count == 1,
          "\(step) \(entity) \(options.rawValue) \(String(decoding: text, as: UTF8.self)) \(outcomes)")
      }
    }
    for world in worlds { #expect(try world.store.read { try $0.checkInvariants() }.isEmpty) }
    #expect(try worlds[0].count("Node") + worlds[0].count("Tag") > 0)
  }

  private func payload(_ entity: String, _ random: inout SplitMix64) -> [[String: Any]] {
    // Each row is there once and nothing is owned twice, so that no statement is undone by another.
    var free = (1...9).shuffled(using: &random)
    var notes = (1...9).shuffled(using: &random)
    return (0..<random.below(5)).compactMap { _ in object(entity, depth: 0, &free, &notes, &random) }
  }

  private func object(
    _ entity: String, depth: Int, _ free: inout [Int], _ notes: inout [Int], _ random: inout SplitMix64
  ) -> [String: Any]? {
    var object: [String: Any] = [:]
    switch entity {
    case "Tag", "Label":
      object["id"] = "t\(random.below(6))"
      if random.chance(60) { object["label"] = "l\(random.below(3))" }
      if entity == "Label", random.chance(60) { object["colour"] = random.below(3) }
    case "Note":
      guard let id = notes.popLast() else { return nil }
      object["id"] = random.chance(50) ? id : "\(id)"
      if depth == 0, random.chance(30) { object["node_id"] = random.chance(20) ? NSNull() : 1 + random.below(9) }
    default:
      guard let id = free.popLast() else { return nil }
      object["id"] = id
      if random.chance(70) { object["name"] = random.chance(15) ? NSNull() : "abc".map(String.init)[random.below(3)] }
      if depth < 2, random.chance(40) {
        object["parts"] =
          random.chance(15)
          ? NSNull()
          : (0..<random.below(4)).compactMap { _ in self.object("Node", depth: depth + 1, &free, &notes, &random) }
      }
      if random.chance(40) {
        object["list"] =
          random.chance(15)
          ? NSNull() : (0..<random.below(4)).compactMap { _ in self.object("Note", depth: 1, &free, &notes, &random) }
      }
      if random.chance(30) { object["tags_ids"] = (0..<random.below(4)).map { _ in "t\(random.below(6))" } }
      if random.chance(15) { object["place"] = ["city": "c\(random.below(3))"] }
    }
    return object
  }
}
