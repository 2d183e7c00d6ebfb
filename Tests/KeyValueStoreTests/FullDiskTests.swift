import Glibc
import TestSupport
import Testing

@testable import KeyValueStore

@Suite("Full disk", .enabled(if: SmallDisk.isPossible, "needs the right to mount a file system"))
struct FullDiskTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Runs `body` on a thread that sees a small disk in the test's folder.
  private func withSmallDisk(_ body: @escaping @Sendable (_ path: String) throws -> Void) async throws {
    let path = folder.path
    try await OtherThread.run {
      // The two segments of a new store's log, and 512 KiB for everything else.
      try #require(SmallDisk.mount(at: path, byteCount: 3 * LogSegment.byteCountMin))
      try body(path)
    }
  }

  @Test("a transaction that does not fit on the disk leaves nothing, and smaller ones still work")
  func refusesLargeTransaction() async throws {
    try await withSmallDisk() { path in
      let environment = try Environment(at: path + "/store")
      defer { environment.close() }
      let table = try environment.table("t")
      try environment.write { try $0.put([1], for: [1], in: table) }
      #expect(throws: StoreError.diskFull(path: path + "/store/wal.0")) {
        try environment.write { transaction in
          for number in 0..<1000 {
            try transaction.put([UInt8](repeating: 1, count: 1000), for: [UInt8](number: number), in: table)
          }
        }
      }
      #expect(try environment.read { try $0.entries(table) } == [Pair(key: [1], value: [1])])
      try environment.write { try $0.put([2], for: [2], in: table) }
      #expect(try environment.read { try $0.count(in: table) } == 2)
    }
  }

  @Test("one large value that does not fit leaves nothing either")
  func refusesLargeValue() async throws {
    try await withSmallDisk() { path in
      let environment = try Environment(at: path + "/store")
      defer { environment.close() }
      let table = try environment.table("t")
      #expect(throws: StoreError.diskFull(path: path + "/store/wal.0")) {
        try environment.write { try $0.put([UInt8](repeating: 1, count: 1 << 20), for: [1], in: table) }
      }
      #expect(try environment.read { try $0.count(in: table) } == 0)
      try environment.write { try $0.put([2], for: [2], in: table) }
    }
  }

  @Test(
    "a store that can't be created is created when there is space again",
    arguments: [0, 1, 4, 8, 9, 10, 12, 16, 100, 150, 200, 270, 280, 290])
  func refusesCreation(pagesLeft: Int) async throws {
    try await withSmallDisk() { path in
      try Self.fill(path, pagesLeft: pagesLeft)
      do {
        try Environment(at: path + "/store").close()
      } catch StoreError.diskFull(let place) {
        #expect(place.hasPrefix(path))
      }
      try SystemFiles().remove(path + "/filling")
      let environment = try Environment(at: path + "/store")
      let table = try environment.table("t")
      #expect(try environment.read { try $0.count(in: table) } == 0)
      environment.close()
    }
  }

  private static func fill(_ path: String, pagesLeft: Int) throws {
    let files = SystemFiles()
    let filling = try files.open(path + "/filling", for: .creating)
    let page = [UInt8](repeating: 1, count: 4096)
    var count = 0
    do {
      while true {
        try files.write(page, to: filling, at: count * page.count)
        count += 1
      }
    } catch {
      #expect(error.errno == ENOSPC)
    }
    try files.truncate(filling, to: (count - pagesLeft) * page.count)
  }
}
