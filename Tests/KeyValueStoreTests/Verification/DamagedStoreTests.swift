import TestSupport
import Testing

@testable import KeyValueStore

/// What is wrong with the files of a store beside the pages of its data.
@Suite("Verification of damaged stores")
struct DamagedStoreTests {
  private let folder: TemporaryFolder
  private var path: String { folder["store"] }

  init() throws {
    folder = try TemporaryFolder()
    try makeStore("store")
  }

  private func makeStore(_ name: String) throws {
    // Opened several times, so that there are several records.
    for number in 1...4 {
      let environment = try Environment(at: folder[name])
      defer { environment.close() }
      try NumberedStore.write(number, to: environment, try environment.table("numbers"))
    }
  }

  private func edit(_ name: String, _ body: (inout [UInt8]) throws -> Void) throws {
    var bytes = try TemporaryFolder.read(path + "/" + name)
    try body(&bytes)
    try TemporaryFolder.write(bytes, to: path + "/" + name)
  }

  private func newestRecord() throws -> CheckpointRecord {
    try #require(
      try CheckpointRing(StorePaths(directory: path), SystemFiles(), for: .reading).newest())
  }

  @Test(
    "a missing file",
    arguments: [StorePaths.data, StorePaths.segments[0], StorePaths.segments[1], StorePaths.checkpoint])
  func missingFiles(name: String) throws {
    try SystemFiles().remove(path + "/" + name)
    #expect(try Environment.verify(at: path).problems == [.damaged(reason: "its \(name) is missing")])
  }

  @Test(
    "a file of another store",
    arguments: [StorePaths.data, StorePaths.segments[0], StorePaths.segments[1], StorePaths.checkpoint])
  func filesOfOtherStores(name: String) throws {
    try makeStore("other")
    try TemporaryFolder.write(try TemporaryFolder.read(folder["other"] + "/" + name), to: path + "/" + name)
    #expect(try !Environment.verify(at: path).isSound)
  }

  @Test("an older file of the same store", arguments: [StorePaths.data, StorePaths.checkpoint])
  func olderFiles(name: String) throws {
    let older = try TemporaryFolder.read(path + "/" + name)
    try makeStore("store")
    try TemporaryFolder.write(older, to: path + "/" + name)
    #expect(try !Environment.verify(at: path).isSound)
  }

  @Test("a checkpoint's slot that is not valid, by its age", arguments: 0...3)
  func slots(age: Int) throws {
    let newest = try newestRecord()
    let slot = Int((newest.generation - UInt64(age)) % 4)
    try edit(StorePaths.checkpoint) { $0[slot * 4096 + 600] ^= 1 }
    let report = try Environment.verify(at: path)
    switch age {
    // The one before says the same, but for the note that the store was closed.
    case 0:
      #expect(report.problems == [] && report.notes == [])
      let environment = try Environment(at: path)
      #expect(try NumberedStore.number(in: environment) == 4)
    // A sync that has failed may have left it so.
    case 1, 2:
      #expect(report.problems == [] && report.notes == [.recordMissing(generation: newest.generation - UInt64(age))])
    // It is the next to be written, and may have been left half written.
    default: #expect(report.isSound)
    }
  }

  @Test("no valid slot at all")
  func noSlots() throws {
    try edit(StorePaths.checkpoint) { $0 = [UInt8](repeating: 0, count: $0.count) }
    let report = try Environment.verify(at: path)
    #expect(report.problems == [.file(name: StorePaths.checkpoint, reason: "no slot has a valid record")])
  }

  @Test("a log whose beginning is damaged, or that was cut off")
  func segments() throws {
    let name = StorePaths.segments[try newestRecord().log.position.segment]
    let whole = try TemporaryFolder.read(path + "/" + name)
    for place in [0, 16, 32, 40, 60] {
      try edit(name) { $0[place] ^= 1 }
      #expect(try !Environment.verify(at: path).isSound, "byte \(place)")
      try TemporaryFolder.write(whole, to: path + "/" + name)
    }
    try edit(name) { $0.removeLast(4096) }
    #expect(try !Environment.verify(at: path).isSound)
  }

  @Test("a flipped bit in the first pages of the data", arguments: [0, 1])
  func metaPages(page: Int) throws {
    let whole = try TemporaryFolder.read(path + "/" + StorePaths.data)
    let isNewest = try Int(newestRecord().snapshot & 1) == page
    // Page number, kind, magic, version, the size of a page, transaction, identity; and of the one that counts, the trees and
    // the last page.
    let fields = [0..<8, 10..<12, 16..<24, 40..<44, 144..<152, 512..<544] + (isNewest ? [44..<144] : [])
    for place in fields.joined() where place % 3 == 0 {
      try edit(StorePaths.data) { $0[page * 4096 + place] ^= 0x10 }
      let report = try Environment.verify(at: path)
      // A record has a copy, so such a store is recovered to what it was.
      #expect(!report.isSound || report.notes == [.needsRecovery(commits: 0)], "byte \(place)")
      if report.isSound {
        let environment = try Environment(at: path)
        #expect(try NumberedStore.number(in: environment) == 4)
        environment.close()
      }
      try TemporaryFolder.write(whole, to: path + "/" + StorePaths.data)
    }
  }

  @Test("a page of the data is named with its table")
  func pages() throws {
    let roles = ByteRoles(of: try TemporaryFolder.read(path + "/" + StorePaths.data))
    for page in roles.structuredPages {
      try edit(StorePaths.data) { $0[page * 4096] ^= 1 }
      let problems = try Environment.verify(at: path).problems
      #expect(
        problems.contains {
          if case .page(UInt64(page), _, .number) = $0 { true } else { false }
        })
      try edit(StorePaths.data) { $0[page * 4096] ^= 1 }
    }
    #expect(try Environment.verify(at: path).isSound)
  }

  @Test("a damaged commit in the log is found if later ones show that it was there, and at the end it is one less")
  func frames() throws {
    let environment = try Environment(at: path)
    let table = try environment.table("numbers")
    for number in 10...20 { try NumberedStore.write(number, to: environment, table) }
    try SystemFiles().makeFolder(folder["copy"])
    for name in [StorePaths.data, StorePaths.checkpoint] + StorePaths.segments {
      try TemporaryFolder.write(try TemporaryFolder.read(path + "/" + name), to: folder["copy"] + "/" + name)
    }
    let record = try newestRecord()
    environment.close()
    let segment = folder["copy"] + "/" + StorePaths.segments[record.log.position.segment]
    let whole = try TemporaryFolder.read(segment)
    #expect(try Environment.verify(at: folder["copy"]).notes == [.needsRecovery(commits: 11)])

    var damaged = whole
    damaged[record.log.position.offset + 60] ^= 1
    try TemporaryFolder.write(damaged, to: segment)
    let report = try Environment.verify(at: folder["copy"])
    #expect(report.problems.count == 1 && report.commitsInLog == 0)

    // The last byte of the last commit: nothing behind it says that it was on the medium.
    damaged = whole
    let end = try #require(damaged.lastIndex { $0 != 0 })
    damaged[end] ^= 1
    try TemporaryFolder.write(damaged, to: segment)
    let torn = try Environment.verify(at: folder["copy"])
    #expect(torn.problems == [] && torn.notes == [.needsRecovery(commits: 10)])
  }

  @Test("what the store says about itself: damaged, or written by a later version")
  func storeRecord() throws {
    let whole = try TemporaryFolder.read(path + "/" + StorePaths.data)
    func edit(_ offset: Int) throws {
      try self.edit(StorePaths.data) { data in
        // Every copy, for old ones lie in free pages.
        for place in data.indices where data[place] == 0x53 && data[place...].starts(with: "SwKVStor".utf8) {
          data[place + offset] ^= 2
        }
      }
    }
    try edit(20)
    let reason = "what it says about itself has a wrong checksum"
    #expect(try Environment.verify(at: path).problems == [.damaged(reason: reason)])
    try TemporaryFolder.write(whole, to: path + "/" + StorePaths.data)
    try edit(8)
    #expect(throws: StoreError.newerFormat(path: path, found: 3, supported: 1)) { try Environment.verify(at: path) }
  }

  /// The files of a closed store, and what of them counts: for the data what holds it together, for the rest everything.
  @Test("any flipped bit is found, or does no harm", arguments: 1...2 as ClosedRange<UInt64>)
  func flippedBits(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let roles = ByteRoles(of: try TemporaryFolder.read(path + "/" + StorePaths.data)).roles
    let structure = roles.indices.filter { roles[$0] != .value && roles[$0] != .key }
    var found = 0
    for _ in 0..<60 {
      let name = ([StorePaths.data, StorePaths.checkpoint] + StorePaths.segments)[random.below(4)]
      let whole = try TemporaryFolder.read(path + "/" + name)
      // The beginning of a segment has its header, and most of the rest is zeros.
      let place =
        switch name {
        case StorePaths.data: structure[random.below(structure.count)]
        case StorePaths.checkpoint: random.below(whole.count)
        default: random.chance(50) ? random.below(64) : random.below(20_000)
        }
      try edit(name) { $0[place] ^= 1 << UInt8(random.below(8)) }
      if try Environment.verify(at: path).isSound {
        try SystemFiles().makeFolder(folder["copy"])
        for name in [StorePaths.data, StorePaths.checkpoint] + StorePaths.segments {
          try TemporaryFolder.write(try TemporaryFolder.read(path + "/" + name), to: folder["copy"] + "/" + name)
        }
        let copy = try Environment(at: folder["copy"])
        #expect(try NumberedStore.number(in: copy) == 4, "\(name), byte \(place)")
        copy.close()
      } else {
        found += 1
      }
      try TemporaryFolder.write(whole, to: path + "/" + name)
    }
    #expect(found > 0)
  }
}
