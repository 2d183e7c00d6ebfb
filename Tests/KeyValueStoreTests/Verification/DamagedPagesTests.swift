import CLMDB
import TestSupport
import Testing

@testable import KeyValueStore

/// Every damage to what holds the pages together is found, and whatever is not found does no harm: LMDB reads a file that
/// the check finds sound to its end, and finds as many entries as before.
@Suite("Damaged data files")
struct DamagedPagesTests {
  private static let pageBytes = 4096

  /// A sound file. Made once, because in a debug build it takes longer than most tests.
  private struct Sample {
    let data: [UInt8]
    let roles: ByteRoles
    let entries: [String: UInt64]
    /// The places of bytes that a change must not go unnoticed in.
    let structure: [Int]

    init() throws {
      let folder = try TemporaryFolder()
      let path = folder.path
      let engine = try Engine(opening: path, flags: MDB_NOSYNC, mapBytes: 1 << 26, path: path, options: .init())
      var walk = RawWalk(engine, seed: 4)
      for _ in 0..<25 { try walk.step() }
      engine.close()
      let report = try PageCheck.report(newestIn: path)
      try #require(report.problems.isEmpty)
      data = try TemporaryFolder.read(folder["data.mdb"])
      roles = ByteRoles(of: data)
      entries = report.entries
      let all = roles.roles
      structure = all.indices.filter { all[$0] == .structure || all[$0] == .length }
    }
  }

  private static let sample = Result { try Sample() }
  private let folder: TemporaryFolder
  private let sample: Sample
  private var data: [UInt8] { sample.data }

  init() throws {
    folder = try TemporaryFolder()
    sample = try Self.sample.get()
    try TemporaryFolder.write(sample.data, to: folder["data.mdb"])
  }

  @Test("a flipped bit", arguments: 1...2 as ClosedRange<UInt64>)
  func flippedBits(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let structure = sample.structure
    let roles = sample.roles.roles
    for _ in 0..<200 {
      // Most of a file is values, so places are drawn by what they are.
      let place = random.chance(70) ? structure[random.below(structure.count)] : random.below(data.count)
      let bit: UInt8 = 1 << UInt8(random.below(8))
      let role = roles[place]
      try expectFound(
        replacing: place, with: [data[place] ^ bit], mustBeFound: role == .structure || (role == .length && bit != 1))
    }
  }

  @Test(
    "a page in the place of another one, and pages of zeros, ones and noise", arguments: 1...2 as ClosedRange<UInt64>)
  func replacedPages(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let structured = sample.roles.structuredPages
    for _ in 0..<60 {
      let number = random.chance(70) ? structured[random.below(structured.count)] : 2 + random.below(pageCount - 2)
      let other = structured[random.below(structured.count)]
      let replacement: [UInt8] =
        switch random.below(5) {
        case 0: [UInt8](repeating: 0, count: Self.pageBytes)
        case 1: [UInt8](repeating: 0xFF, count: Self.pageBytes)
        case 2: random.bytes(Self.pageBytes)
        // The second half only, as when a write was torn.
        case 3: Array(page(number)[..<2048] + page(other)[2048...])
        default: page(other)
        }
      let changed = zip(0..., zip(page(number), replacement)).filter { $1.0 != $1.1 }.map(\.0)
      let isStructure = changed.contains { sample.roles.roles[number * Self.pageBytes + $0] == .structure }
      try expectFound(replacing: number * Self.pageBytes, with: replacement, mustBeFound: isStructure)
    }
  }

  @Test("a page that says it is another one, with that one's place empty")
  func swappedPages() throws {
    let structured = sample.roles.structuredPages
    for (first, second) in zip(structured, structured.dropFirst()) {
      let file = try SystemFiles().open(folder["data.mdb"], for: .writing)
      try SystemFiles().write(page(second), to: file, at: first * Self.pageBytes)
      try expectFound(replacing: second * Self.pageBytes, with: page(first), mustBeFound: true)
      try SystemFiles().write(page(first), to: file, at: first * Self.pageBytes)
    }
  }

  @Test("a file that was cut off")
  func cutFiles() throws {
    let lastNeeded = try #require(sample.roles.pagesNeeded.last)
    for pages in stride(from: 2, to: pageCount, by: 7) {
      try TemporaryFolder.write(Array(data.prefix(pages * Self.pageBytes + 100)), to: folder["data.mdb"])
      let report = try PageCheck.report(newestIn: folder.path)
      #expect(report.problems.isEmpty == (pages > lastNeeded), "cut to \(pages) pages")
    }
  }

  @Test("noise all over the file neither traps nor takes long", arguments: 1...2 as ClosedRange<UInt64>)
  func noise(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let structure = sample.structure.filter { $0 > 2 * Self.pageBytes }
    for _ in 0..<20 {
      var damaged = data
      for _ in 0..<(20 + random.below(480)) {
        damaged[structure[random.below(structure.count)]] =
          [0, 1, 0x7F, 0xFF, UInt8(random.below(256))][random.below(5)]
      }
      try TemporaryFolder.write(damaged, to: folder["data.mdb"])
      #expect(try !PageCheck.report(newestIn: folder.path).problems.isEmpty)
    }
  }

  // MARK: -

  private var pageCount: Int { data.count / Self.pageBytes }

  private func page(_ number: Int) -> [UInt8] {
    Array(data[(number * Self.pageBytes)..<((number + 1) * Self.pageBytes)])
  }

  /// Replaces bytes, checks, and puts the old ones back.
  private func expectFound(replacing place: Int, with bytes: [UInt8], mustBeFound: Bool) throws {
    let files = SystemFiles()
    let file = try files.open(folder["data.mdb"], for: .writing)
    try files.write(bytes, to: file, at: place)
    defer { try? files.write(Array(data[place..<(place + bytes.count)]), to: file, at: place) }
    let isFound: Bool
    do { isFound = try !PageCheck.report(newestIn: folder.path).problems.isEmpty } catch is MetaPage.Problem {
      isFound = true
    }
    #expect(isFound || !mustBeFound, "page \(place / Self.pageBytes), byte \(place % Self.pageBytes)")
    if !isFound { #expect(try entriesReadByLMDB() == sample.entries) }
  }

  /// Reads everything through LMDB's map.
  private func entriesReadByLMDB() throws -> [String: UInt64] {
    let engine = try Engine(
      opening: folder.path, flags: MDB_RDONLY | MDB_NOLOCK, mapBytes: 1 << 26, path: folder.path, options: .init())
    defer { engine.close() }
    return try engine.read { (transaction) throws(StoreError) in
      var counts: [String: UInt64] = [:]
      for name in try engine.tableNames(transaction, root: try engine.openRoot(transaction)) {
        guard let table = try engine.openTable(name, transaction) else { continue }
        var cursor: OpaquePointer?
        try engine.check(mdb_cursor_open(transaction, table, &cursor), "Reading")
        defer { mdb_cursor_close(cursor) }
        var (key, value) = (MDB_val(), MDB_val())
        counts[name] = 0
        while mdb_cursor_get(cursor, &key, &value, MDB_NEXT) == MDB_SUCCESS {
          counts[name, default: 0] += 1
          _ = value.bytes.first.map { $0 &+ (value.bytes.last ?? 0) }
        }
      }
      return counts
    }
  }
}
