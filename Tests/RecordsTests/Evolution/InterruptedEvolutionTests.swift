import Foundation
import KeyValueStore
import Synchronization
import TestSupport
import Testing

@testable import Records

/// A process that ends while a store follows a schema leaves the old store or the new one.
@Suite struct InterruptedEvolutionTests {
  private static let before = StoreSchema(entities: [
    EntityDescription(
      name: "Task",
      attributes: [
        AttributeDescription(name: "id", type: .int32), AttributeDescription(name: "text", type: .string),
      ],
      relationships: [RelationshipDescription(name: "next", destination: "Task", isToMany: false)],
      indexes: [["id"], ["text"]])
  ])

  private static let after = StoreSchema(entities: [
    EntityDescription(
      name: "Task",
      attributes: [
        AttributeDescription(name: "id", type: .int64, options: .unique),
        AttributeDescription(name: "title", type: .string, originalName: "text"),
        AttributeDescription(name: "done", type: .bool, defaultValue: .bool(false)),
      ],
      relationships: [RelationshipDescription(name: "next", destination: "Task", isToMany: true)],
      indexes: [["done", "title"]])
  ])

  private static let rowCount = 2_000

  private func makeStore(_ folder: EvolvingStore) throws {
    try folder.with(Self.before) { store in
      _ = try store.write { transaction in
        for number in 1...Self.rowCount {
          try transaction.add(
            "Task",
            ["id": .int(Int64(number)), "text": .string("task \(number)")].merging(
              number > 1 ? ["next": .uint(UInt64(number - 1))] : [:]
            ) { value, _ in value })
        }
      }
    }
  }

  /// Copies the files of the store at every report: what a kill would leave there.
  @Test func killedProcessLeavesTheOldStoreUntilTheCommit() throws {
    let folder = try EvolvingStore()
    try makeStore(folder)
    let old = try folder.contents()
    let reports = Mutex<[EvolutionProgress]>([])
    let store = try RecordStore(at: folder.folder["store"], schema: Self.after) { progress in
      let number = reports.withLock { reports in
        reports.append(progress)
        return reports.count
      }
      try? FileManager.default.copyItem(
        atPath: folder.folder["store"], toPath: folder.folder["killed\(number)"])
    }
    #expect(try store.violations() == [])
    try FileManager.default.copyItem(atPath: folder.folder["store"], toPath: folder.folder["committed"])
    store.close()
    let new = try folder.contents()
    let steps = reports.withLock { $0 }
    #expect(Set(steps.map { "\($0.step)" }).count == 3)
    #expect(
      steps.last
        == EvolutionProgress(
          step: .indexing(attributes: ["done", "title"]), entity: "Task", rowsDone: Self.rowCount,
          rowCount: Self.rowCount))

    for number in 1...steps.count {
      let killed = try EvolvingStore(folder.folder, "killed\(number)")
      #expect(try killed.contents() == old)
      if number % 3 == 0 {
        try killed.with(Self.after) { (store) throws in #expect(try store.violations() == []) }
        #expect(try killed.contents() == new)
      }
    }
    #expect(try EvolvingStore(folder.folder, "committed").contents() == new)
  }

  /// Rows are upgraded in a snapshot while others write, as everywhere.
  @Test func snapshotsReadRowsOfBothLayouts() throws {
    let folder = try EvolvingStore()
    try makeStore(folder)
    try folder.with(Self.after) { store in
      try store.read { snapshot in
        let task = try snapshot.entity("Task")
        let title = try #require(task.attribute(named: "title")).field
        _ = try store.write { transaction in
          try transaction.edit("Task", RowNumber(rawValue: 7)) { builder, _ in builder.setString(title, "changed") }
        }
        let seen = try snapshot.withRecord(RowNumber(rawValue: 7), of: task) { $0.string(title) }
        #expect(seen == "task 7")
      }
      let now = try store.read { snapshot in
        let task = try snapshot.entity("Task")
        let title = try #require(task.attribute(named: "title")).field
        return try [6, 7].map { row in
          try snapshot.withRecord(RowNumber(rawValue: row), of: task) { $0.string(title) }
        }
      }
      #expect(now == ["task 6", "changed"])
    }
  }
}
