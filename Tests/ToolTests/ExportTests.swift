import Foundation
import Records
import TestSupport
import Testing

/// Equal content gives equal bytes, whatever the history of the store.
@Suite struct ExportTests {
  @Test(arguments: [1, 2, 3] as [UInt64]) func orderOfInsertionDoesNotShow(_ seed: UInt64) throws {
    let folder = try TemporaryFolder()
    var random = SplitMix64(seed: seed)
    let order = Array(0..<LargeStore.taskCount)
    for (name, order) in [("a", order), ("b", order.shuffled(using: &random))] {
      let store = try RecordStore(at: folder[name], schema: .tracker)
      defer { store.close() }
      try LargeStore.fill(store, order: order)
    }
    let first = try ToolRun("export", folder["a"])
    #expect(first.end == .exited(0))
    #expect(first.output.split(separator: "\n").count > LargeStore.taskCount)
    #expect(try ToolRun("export", folder["b"]).output == first.output)
  }

  @Test func orderOfDeclarationDoesNotShow() throws {
    let folder = try TemporaryFolder()
    let author = EntityDescription(
      name: "Author", attributes: [attribute("id"), attribute("name")],
      relationships: [
        RelationshipDescription(name: "books", destination: "Book", isToMany: true, inverse: "author"),
        RelationshipDescription(name: "admirers", destination: "Author", isToMany: true),
      ],
      identity: "id", uniquenessConstraints: [["name", "id"], ["id"]], indexes: [["name"]])
    let book = EntityDescription(
      name: "Book", attributes: [attribute("id")],
      relationships: [RelationshipDescription(name: "author", destination: "Author", isToMany: false)], identity: "id")
    var otherAuthor = author
    otherAuthor.attributes.reverse()
    otherAuthor.relationships.reverse()
    otherAuthor.uniquenessConstraints.reverse()
    // The inverse is declared at the other end.
    otherAuthor.relationships[1].inverse = nil
    var otherBook = book
    otherBook.relationships[0].inverse = "books"

    for (name, entities) in [("a", [author, book]), ("b", [otherBook, otherAuthor])] {
      let store = try RecordStore(at: folder[name], schema: StoreSchema(entities: entities))
      defer { store.close() }
      _ = try store.write { transaction in
        let author = try transaction.insert("Author", ["id": .string("a"), "name": .string("A")])
        try transaction.insert("Book", ["id": .string("b")], ["author": author])
      }
    }
    let first = try ToolRun("export", folder["a"])
    #expect(first.end == .exited(0))
    #expect(try ToolRun("export", folder["b"]).output == first.output)
  }

  /// Keys of indexes are kept in order up to a length, and beyond it in an order that is the store's own.
  @Test func longIdentitiesAreSortedToo() throws {
    let folder = try TemporaryFolder()
    let prefix = String(repeating: "long ", count: 110)
    let identities = (0..<40).map { "\(prefix)\($0 % 20 + 10)\($0 < 20 ? "" : " and more")" } + ["long", "m"]
    let entity = EntityDescription(name: "Note", attributes: [attribute("id")], identity: "id")
    var random = SplitMix64(seed: 4)
    for name in ["a", "b"] {
      let store = try RecordStore(at: folder[name], schema: StoreSchema(entities: [entity]))
      defer { store.close() }
      let shuffled = identities.shuffled(using: &random)
      _ = try store.write { transaction in
        for identity in shuffled { try transaction.insert("Note", ["id": .string(identity)]) }
      }
    }
    let first = try ToolRun("export", folder["a"])
    #expect(try ToolRun("export", folder["b"]).output == first.output)
    let found = try rows(of: first, "Note").compactMap { $0["id"] as? String }
    #expect(found == identities.sorted())
  }

  @Test func identitiesOfEveryTypeAreInTheirOrder() throws {
    let folder = try TemporaryFolder()
    let types: [(AttributeType, [FieldValue])] = [
      (.int16, [.int(-5), .int(-1), .int(0), .int(300)]),
      (.uint64, [.uint(0), .uint(7), .uint(.max)]),
      (.double, [.double(-.infinity), .double(-0.5), .double(0), .double(1e300), .double(.nan)]),
      (.string, [.string(""), .string("Z"), .string("a"), .string("ä")]),
      (.date, [.date(.distantPast), .date(Date(timeIntervalSinceReferenceDate: 0)), .date(.distantFuture)]),
    ]
    for (type, values) in types {
      let entity = EntityDescription(
        name: "Thing", attributes: [AttributeDescription(name: "id", type: type, options: .unique)], identity: "id")
      let path = folder["\(type)"]
      let store = try RecordStore(at: path, schema: StoreSchema(entities: [entity]))
      defer { store.close() }
      _ = try store.write { transaction in
        for value in values.reversed() { try transaction.insert("Thing", ["id": value]) }
      }
      let exported = try ToolRun("export", path)
      let dumped = try ToolRun("dump", path, "--format", "json")
      let ascending = try rows(of: exported, "Thing").map { "\($0["id"] ?? "")" }
      #expect(ascending.count == values.count)
      #expect(ascending == (try rows(of: dumped, "Thing").map { "\($0["id"] ?? "")" }).reversed())
    }
  }

  @Test func emptyStoresHaveASnapshot() throws {
    let folder = try TemporaryFolder()
    try RecordStore(at: folder["store"], schema: StoreSchema(entities: [])).close()
    let run = try ToolRun("export", folder["store"])
    #expect(run.end == .exited(0))
    #expect(run.output == "{\"format\":\"swiftsync-snapshot\",\"version\":1,\n\"schema\":[],\n\"entities\":[]}\n")
  }

  private func attribute(_ name: String) -> AttributeDescription {
    AttributeDescription(name: name, type: .string, options: .unique)
  }

  private func rows(of run: ToolRun, _ entity: String) throws -> [[String: Any]] {
    let document = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    let entities = try #require(document?["entities"] as? [[String: Any]])
    return try #require(entities.first { $0["name"] as? String == entity }?["rows"] as? [[String: Any]])
  }
}
