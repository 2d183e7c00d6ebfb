import TestSupport
import Testing

@testable import KeyValueStore

/// Files that are missing, cut off, from another store, or changed: opening says so, or finds exactly what was there.
@Suite("Damaged files of a store")
struct DamagedFilesTests {
  private static let names = ["data.mdb", "checkpoint", "wal.0", "wal.1"]

  enum Ending: CaseIterable, Sendable {
    case closed, abandoned
  }

  /// A store with some checkpoints behind it and commits in its log, and what is in it.
  private func makeStore(_ ending: Ending) throws -> (folder: TemporaryFolder, path: String, keys: [Int]) {
    let store = try OpenStore()
    for number in 0..<10 { try store.put(number) }
    store.environment.close()
    let path = store.folder["damaged"]
    let environment = try Environment(at: store.path)
    let table = try environment.table("t")
    for number in 10..<20 { try environment.write { try $0.put([1], for: [UInt8](number: number), in: table) } }
    if ending == .abandoned { try StoreSurgery.copy(store.path, to: path) }
    environment.close()
    if ending == .closed { try StoreSurgery.copy(store.path, to: path) }
    return (store.folder, path, Array(0..<20))
  }

  /// Whether opening refuses; checks that it finds everything if not.
  private func isRefused(_ path: String, _ keys: [Int], _ what: @autoclosure () -> String) throws -> Bool {
    do {
      let found = try OpenStore.keys(at: path)
      #expect(found == keys, "\(what())")
      return false
    } catch let error as StoreError {
      guard case .damaged(path, _) = error else {
        Issue.record("\(what()): \(error)")
        return true
      }
      return true
    }
  }

  @Test("files that were cut off", arguments: Ending.allCases, names)
  func cutOff(ending: Ending, name: String) throws {
    let (folder, path, keys) = try makeStore(ending)
    let whole = try TemporaryFolder.read(path + "/" + name)
    var refusals = 0
    let step = name == "data.mdb" ? 4096 : max(whole.count / 20, 500)
    for byteCount in stride(from: 0, to: whole.count, by: step) {
      let copy = folder["\(byteCount)"]
      try StoreSurgery.copy(path, to: copy)
      try TemporaryFolder.write(Array(whole.prefix(byteCount)), to: copy + "/" + name)
      if try isRefused(copy, keys, "\(name) cut to \(byteCount)") { refusals += 1 }
    }
    // The other segment means nothing any more.
    let isNeeded = try name == "data.mdb" || name == "checkpoint" || name == Self.segment(path)
    #expect(isNeeded == (refusals > 0))
  }

  @Test("files of another store, and older ones of the same", arguments: Ending.allCases, names)
  func exchanged(ending: Ending, name: String) throws {
    let (folder, path, keys) = try makeStore(ending)
    let (otherFolder, other, _) = try makeStore(ending)
    let isNeeded = try name == "data.mdb" || name == "checkpoint" || name == Self.segment(path)
    try TemporaryFolder.write(try TemporaryFolder.read(other + "/" + name), to: path + "/" + name)
    defer { withExtendedLifetime((folder, otherFolder)) {} }
    #expect(try isRefused(path, keys, name) == isNeeded)
  }

  @Test("flipped bits in what is the store's own", arguments: Ending.allCases, ["checkpoint", "wal.0", "wal.1"])
  func flipped(ending: Ending, name: String) throws {
    let (folder, path, keys) = try makeStore(ending)
    var random = SplitMix64(seed: 5)
    let whole = try TemporaryFolder.read(path + "/" + name)
    // Where there is something, and a few other places.
    let places = whole.indices.filter { whole[$0] != 0 }.shuffled(using: &random).prefix(25) + [0, 8, 4096, 4100]
    // The last commit may be the one that is hit. It is durable all the same, but nothing behind it says so.
    let last = Array(keys.dropLast())
    for (number, place) in places.enumerated() {
      let copy = folder["\(number)"]
      try StoreSurgery.copy(path, to: copy)
      try StoreSurgery.change(copy + "/" + name, at: place) { $0[0] ^= 1 << UInt8(random.below(8)) }
      do {
        let found = try OpenStore.keys(at: copy)
        #expect(found == keys || (ending == .abandoned && name != "checkpoint" && found == last), "\(name) at \(place)")
      } catch StoreError.damaged(copy, _) {}
    }
  }

  /// The segment that the newest record leads to.
  private static func segment(_ path: String) throws -> String {
    StorePaths.segments[try StoreSurgery.storeFiles(path).newestRecord().log.position.segment]
  }
}
