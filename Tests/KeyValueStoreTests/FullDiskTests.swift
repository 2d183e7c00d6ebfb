import TestSupport
import Testing

@testable import KeyValueStore

@Suite("Full disk", .enabled(if: SmallDisk.isPossible, "needs the right to mount a file system"))
struct FullDiskTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Runs `body` on a thread that sees a small disk in the test's folder: 4 MiB, of which a new store takes one for its
  /// log, and one more as the room that its data may need for what is acknowledged.
  private func withSmallDisk(
    byteCount: Int = 4 << 20, _ body: @escaping @Sendable (_ path: String) throws -> Void
  ) async throws {
    let path = folder.path
    try await OtherThread.run {
      try #require(SmallDisk.mount(at: path, byteCount: byteCount))
      try body(path)
    }
  }

  /// A transaction that is too large for the small disk.
  struct Excess: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var valueByteCount: Int
    var valueCount: Int
  }

  @Test(
    "a transaction that does not fit on the disk leaves nothing, and smaller ones still work",
    arguments: [
      Excess(testDescription: "many values", valueByteCount: 1000, valueCount: 3000),
      Excess(testDescription: "one value", valueByteCount: 3 << 20, valueCount: 1),
      Excess(testDescription: "many values, around the log", valueByteCount: 1000, valueCount: 6000),
      Excess(testDescription: "one value, around the log", valueByteCount: 6 << 20, valueCount: 1),
    ])
  func refusesExcess(excess: Excess) async throws {
    try await withSmallDisk { path in
      let path = path + "/store"
      let environment = try Environment(at: path)
      let table = try environment.table("t")
      try environment.write { try $0.put([1], for: [1], in: table) }
      for round in 2...4 {
        #expect {
          try environment.write { transaction in
            let value = [UInt8](repeating: 1, count: excess.valueByteCount)
            for number in 0..<excess.valueCount { try transaction.put(value, for: [UInt8](number: number), in: table) }
          }
        } throws: { error in
          // The log or the data, whichever comes first.
          if case StoreError.diskFull(let file) = error { file.hasPrefix(path) } else { false }
        }
        #expect(try environment.read { try $0.count(in: table) } == round - 1)
        try environment.write { try $0.put([1], for: [UInt8(round)], in: table) }
        #expect(try environment.read { try $0.count(in: table) } == round)
      }
      environment.close()
      let again = try Environment(at: path)
      #expect(try again.read { try $0.entries(try again.table("t")) }.map(\.key) == [[1], [2], [3], [4]])
      again.close()
    }
  }

  @Test("what was acknowledged while the disk became full is there, and more is taken when there is space again")
  func keepsAcknowledged() async throws {
    // However much is published at once, there is room for as much again.
    try await withSmallDisk(byteCount: 6 << 20) { path in
      let environment = try Environment(at: path + "/store", options: .init(durability: .relaxed))
      let table = try environment.table("t")
      try SmallDisk.fill(path, pagesLeft: 8)
      let value = [UInt8](repeating: 1, count: 2000)
      var count = 0
      #expect(throws: StoreError.diskFull(path: path + "/store/data.mdb")) {
        while count < 2000 {
          try environment.write { [count] in try $0.put(value, for: [UInt8](number: count), in: table) }
          count += 1
        }
      }
      #expect(count > 0)
      #expect(try environment.read { try $0.count(in: table) } == count)
      try SmallDisk.free(path)
      try environment.write { [count] in try $0.put(value, for: [UInt8](number: count), in: table) }
      environment.close()
      let again = try Environment(at: path + "/store")
      #expect(try again.read { try $0.count(in: try again.table("t")) } == count + 1)
      again.close()
    }
  }

  @Test(
    "a store that can't be created is created when there is space again",
    arguments: [0, 1, 4, 8, 9, 10, 12, 16, 100, 150, 200, 270, 280, 290])
  func refusesCreation(pagesLeft: Int) async throws {
    try await withSmallDisk { path in
      try SmallDisk.fill(path, pagesLeft: pagesLeft)
      do {
        try Environment(at: path + "/store").close()
      } catch StoreError.diskFull(let place) {
        #expect(place.hasPrefix(path))
      }
      try SmallDisk.free(path)
      let environment = try Environment(at: path + "/store")
      let table = try environment.table("t")
      #expect(try environment.read { try $0.count(in: table) } == 0)
      environment.close()
    }
  }
}
