import Foundation
import KeyValueStore
import TestSupport
import Testing

@testable import Records

/// A full disk is an error that says so. What was there stays, and everything works when there is space again.
@Suite struct FullDiskTests {
  private static let before = StoreSchema(entities: [
    EntityDescription(
      name: "Task",
      attributes: [
        AttributeDescription(name: "id", type: .int64, options: .unique),
        AttributeDescription(name: "text", type: .string),
      ], identity: "id")
  ])

  private static let after: StoreSchema = {
    var schema = before
    schema.entities[0].attributes.append(
      AttributeDescription(name: "tag", type: .string, defaultValue: .string("new")))
    schema.entities[0].indexes = [["text"], ["tag", "text"]]
    return schema
  }()

  private static func isFull(_ error: any Error, in path: String) -> Bool {
    if case StoreError.diskFull(let file) = error { file.hasPrefix(path) } else { false }
  }

  private static func fill(_ store: RecordStore, _ range: Range<Int>) throws {
    try store.write { transaction in
      for id in range {
        let text = String(repeating: "\(id) ", count: 40)
        try transaction.add("Task", ["id": .int(Int64(id)), "text": .string(text)])
      }
    }
  }

  private static func count(_ store: RecordStore) throws -> Int {
    try store.read { try $0.count(of: $0.entity("Task")) }
  }

  @Test func schemaIsTakenOverWhenThereIsSpaceAgain() throws {
    let folder = try EvolvingStore()
    try folder.with(Self.before) { try Self.fill($0, 0..<3) }
    let contents = try folder.contents()
    let disk = FullDisk()
    disk.fill()
    let path = folder.folder["store"]
    for _ in 0..<2 {
      #expect {
        try RecordStore(at: path, reaching: .schema(Self.after, version: nil), files: disk.files)
      } throws: {
        Self.isFull($0, in: path)
      }
      #expect(try folder.contents() == contents)
    }
    disk.free()
    let store = try RecordStore(at: path, reaching: .schema(Self.after, version: nil), files: disk.files)
    defer { store.close() }
    #expect(try store.rows("Task", inOrderOf: ["tag", "text"]).count == 3)
    #expect(try store.violations() == [])
  }

  /// Here the disk becomes full in the middle, while indexes are built around the log.
  @Test(.enabled(if: SmallDisk.isPossible, "needs the right to mount a file system"))
  func schemaThatNeedsMoreThanThereIsChangesNothing() async throws {
    let folder = try EvolvingStore()
    let path = folder.folder.path
    try await OtherThread.run {
      try #require(SmallDisk.mount(at: path, byteCount: 64 << 20))
      // In one write: each further one would leave free pages in the file, and with enough of them nothing is missing.
      try folder.with(Self.before) { try Self.fill($0, 0..<10_000) }
      let contents = try folder.contents()
      try SmallDisk.fill(path, pagesLeft: 64)
      for _ in 0..<2 {
        #expect { try folder.open(Self.after) } throws: { Self.isFull($0, in: path) }
        #expect(try folder.contents() == contents)
      }
      try SmallDisk.free(path)
      try folder.with(Self.after) { (store) throws in
        #expect(try store.rows("Task", inOrderOf: ["tag", "text"]).count == 10_000)
        #expect(try store.violations() == [])
      }
    }
  }
}
