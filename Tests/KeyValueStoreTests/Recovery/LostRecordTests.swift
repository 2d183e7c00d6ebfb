import TestSupport
import Testing

@testable import KeyValueStore

/// If the newest checkpoint record became unreadable while a store was open, the next opening took the one before it, whose
/// pages might have been used again, and forgot what the log had behind a bulk transaction. Now each record is written twice
/// before the one before it may lose its pages, so that there is another one that leads to the same.
@Suite("A checkpoint record that was lost")
struct LostRecordTests {
  enum Checkpoint: CaseIterable, Sendable {
    case ofOpening, ofBulk
  }

  /// A store that was not closed, with commits behind its last checkpoint that use the pages again that are free since.
  private func abandoned(_ checkpoint: Checkpoint) throws -> (folder: TemporaryFolder, path: String) {
    let folder = try TemporaryFolder()
    let path = folder["store"]
    for number in 1...2 {
      let environment = try Environment(at: path)
      try NumberedStore.write(number, to: environment, try environment.table("numbers"))
      environment.close()
    }
    var options = Environment.Options(mapBytesInitial: 1 << 28)
    options.checkpoints.interval = .max / 4
    let environment = try Environment(at: path, options: options)
    defer { environment.close() }
    let table = try environment.table("numbers")
    if checkpoint == .ofBulk {
      let bulk = try environment.table("bulk")
      try environment.write { transaction in
        for key in 0..<6 {
          try transaction.put([UInt8](repeating: 1, count: 1 << 20), for: [UInt8](number: key), in: bulk)
        }
      }
    }
    // Not so many that the log is full and makes another checkpoint.
    for number in 3...10 {
      try NumberedStore.write(number, to: environment, table)
      // Publishes.
      _ = try NumberedStore.number(in: environment)
    }
    try StoreSurgery.copy(path, to: folder["copy"])
    return (folder, folder["copy"])
  }

  @Test("what was acknowledged is there, whichever of the two is lost", arguments: Checkpoint.allCases, [0, 1])
  func survives(checkpoint: Checkpoint, age: Int) throws {
    let (folder, path) = try abandoned(checkpoint)
    defer { withExtendedLifetime(folder) {} }
    let ring = try StoreSurgery.storeFiles(path).ring
    let newest = try #require(try ring.newest())
    let slot = Int((newest.generation - UInt64(age)) % 4)
    try StoreSurgery.change(path + "/" + StorePaths.checkpoint, at: slot * 4096 + 600) { $0[0] ^= 1 }
    #expect(try ring.newest()?.generation == newest.generation - (age == 0 ? 1 : 0))
    let report = try Environment.verify(at: path)
    #expect(report.problems == [])
    #expect(report.notes.contains(.needsRecovery(commits: 8)))
    let environment = try Environment(at: path)
    #expect(try NumberedStore.number(in: environment) == 10)
    environment.close()
    #expect(try Environment.verify(at: path).isSound)
  }

  @Test(
    "a record is never the only one of its checkpoint when the next commit is acknowledged",
    arguments: Checkpoint.allCases)
  func areTwo(checkpoint: Checkpoint) throws {
    let (folder, path) = try abandoned(checkpoint)
    defer { withExtendedLifetime(folder) {} }
    let records = try StoreSurgery.storeFiles(path).ring.records().compactMap { $0 }
      .sorted { $0.generation > $1.generation }
    var twin = try #require(records.dropFirst().first)
    twin.generation += 1
    #expect(records.first == twin)
  }
}
