import Foundation
import SwiftSync
import TestSupport
import Testing

@Suite(
  "Full disk: a save that does not fit changes nothing, and keeps the edits until it does",
  .enabled(if: SmallDisk.isPossible, "needs the right to mount a file system"))
struct FullDiskSaveTests {
  @Test func editsAreSavedWhenThereIsSpaceAgain() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path
    try await OtherThread.run {
      try #require(SmallDisk.mount(at: path, byteCount: 64 << 20))
      let configuration = ModelConfiguration(url: URL(fileURLWithPath: path + "/store"))
      let container = try ModelContainer(for: Club.self, configurations: configuration)
      let context = ModelContext(container)
      let (kept, doomed) = (Club(id: 1, name: "first"), Club(id: 2, name: "second"))
      context.insert(kept)
      context.insert(doomed)
      try context.save()
      let long = String(repeating: "long ", count: 2 << 20)
      kept.name = "changed"
      context.delete(doomed)
      context.insert(Club(id: 3, name: long))
      try SmallDisk.fill(path, pagesLeft: 64)
      for _ in 0..<2 {
        #expect {
          try context.save()
        } throws: { error in
          if case StoreError.diskFull(let file) = error { file.hasPrefix(path) } else { false }
        }
        #expect(context.hasChanges)
        #expect(kept.name == "changed")
        #expect(context.insertedModelsArray.count == 1)
        #expect(context.changedModelsArray.count == 1)
        #expect(context.deletedModelsArray.count == 1)
        #expect(try Self.names(container) == ["first", "second"])
      }
      try SmallDisk.free(path)
      try context.save()
      #expect(!context.hasChanges)
      #expect(try Self.names(container) == ["changed", long])
      container.close()
      let again = try ModelContainer(for: Club.self, configurations: configuration)
      #expect(try Self.names(again) == ["changed", long])
      again.close()
    }
  }

  private static func names(_ container: ModelContainer) throws -> [String] {
    try ModelContext(container).fetch(FetchDescriptor<Club>(sortBy: [SortDescriptor(\.id)])).map(\.name)
  }
}
