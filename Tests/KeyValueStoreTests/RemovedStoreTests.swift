import TestSupport
import Testing

@testable import KeyValueStore

/// A writer kept acknowledging commits to files that had been removed under it, which nobody would ever see again.
@Suite("Stores that are removed while they are open")
struct RemovedStoreTests {
  @Test("a checkpoint notices, and nothing is acknowledged after it")
  func stops() throws {
    let folder = try TemporaryFolder()
    let environment = try Environment(at: folder["store"])
    let table = try environment.table("t")
    for name in try SystemFiles().names(in: folder["store"]) { try SystemFiles().remove(folder["store/\(name)"]) }
    // More than the log takes before a checkpoint is due.
    #expect(throws: StoreError.mustReopen(path: folder["store"], cause: .removed)) {
      for number in 0..<2000 {
        try environment.write { try $0.put([UInt8](repeating: 1, count: 100), for: [UInt8](number: number), in: table) }
      }
    }
  }

  @Test("a store whose folder gets another name goes on")
  func goesOn() throws {
    let folder = try TemporaryFolder()
    let environment = try Environment(at: folder["store"])
    let table = try environment.table("t")
    try SystemFiles().rename(folder["store"], to: folder["other"])
    for number in 0..<500 {
      try environment.write { try $0.put([1], for: [UInt8](number: number), in: table) }
    }
    environment.close()
    let again = try Environment(at: folder["other"])
    #expect(try again.read { try $0.count(in: again.table("t")) } == 500)
  }
}
