import KeyValueStore
import Records
import TestSupport
import Testing

@testable import SyncEngine

@Suite(
  "Full disk: a sync that does not fit changes nothing, and the next one that does works",
  .enabled(if: SmallDisk.isPossible, "needs the right to mount a file system"))
struct FullDiskSyncTests {
  /// Of a few rows, in the log, or of many, which goes around it.
  @Test(arguments: [2, 4000])
  func syncsWorkWhenThereIsSpaceAgain(count: Int) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path
    try await OtherThread.run {
      try #require(SmallDisk.mount(at: path, byteCount: 64 << 20))
      let entity = EntityDescription(
        name: "Note",
        attributes: [
          AttributeDescription(name: "id", type: .int64, options: .unique),
          AttributeDescription(name: "text", type: .string),
        ], identity: "id")
      let store = try TestStore(
        RecordStore(at: path + "/store", schema: StoreSchema(entities: [entity])), plans: MappingPlans())
      try store.sync(#"[{"id":1,"text":"first"},{"id":2,"text":"second"}]"#, as: "Note")
      let before = try store.rows("Note")
      let text = String(repeating: "x", count: 20_000_000 / count)
      let rows = (2..<2 + count).map { #"{"id":\#($0),"text":"\#(text)"}"# }
      let payload = "[\(rows.joined(separator: ","))]"
      try SmallDisk.fill(path, pagesLeft: 64)
      for _ in 0..<2 {
        #expect {
          try store.sync(payload, as: "Note")
        } throws: { error in
          if case StoreError.diskFull(let file) = error { file.hasPrefix(path) } else { false }
        }
        #expect(try store.rows("Note") == before)
      }
      try SmallDisk.free(path)
      let report = try store.sync(payload, as: "Note")
      #expect(report.entities["Note"]?.inserted == count - 1 && report.entities["Note"]?.deleted == 1)
      #expect(try store.store.read { try $0.checkInvariants().isEmpty })
      store.store.close()
    }
  }
}
