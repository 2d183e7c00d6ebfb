import CRivals
import Foundation

/// The tracker in SQLite or LMDB, which C++ uses without anything between. One thread does everything, which is the fastest way
/// to have either of them commit.
final class RivalTracker: PeerStore {
  private let store: OpaquePointer

  /// What a rival refused, in its own words.
  struct Refusal: Error, CustomStringConvertible {
    let description: String
  }

  init(_ kind: rival_kind, at folder: String, isIndexed: Bool) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var store: OpaquePointer?
    try Self.check(rival_open(kind, folder, isIndexed, &store))
    guard let store else { throw Refusal(description: "A rival opened nothing.") }
    self.store = store
  }

  func close() {
    rival_close(store)
  }

  func sync(_ payload: String) throws -> [Phase] {
    try Self.check(rival_sync(store, payload))
    return []
  }

  func upsert(_ tasks: [Data], concurrency: Int) throws {
    for task in tasks {
      try task.withUnsafeBytes { text in
        try Self.check(rival_upsert(store, text.baseAddress?.assumingMemoryBound(to: CChar.self), text.count))
      }
    }
  }

  func find(_ ids: [UUID]) throws -> Listing {
    var listing = rival_listing()
    try ids.withIdentityBytes { try Self.check(rival_find(store, $0, ids.count, &listing)) }
    return Listing(listing)
  }

  func list(_ projects: [UUID]) throws -> Listing {
    var listing = rival_listing()
    try projects.withIdentityBytes { try Self.check(rival_list(store, $0, projects.count, &listing)) }
    return Listing(listing)
  }

  func urgent(priority: Int, limit: Int) throws -> Listing {
    var listing = rival_listing()
    try Self.check(rival_urgent(store, UInt32(priority), limit, &listing))
    return Listing(listing)
  }

  func export(_ projects: [UUID]) throws -> Int {
    var bytes = 0
    try projects.withIdentityBytes { try Self.check(rival_export(store, $0, projects.count, &bytes)) }
    return bytes
  }

  func counts() throws -> TrackerAnswers.Counts {
    var counts = rival_counts()
    try Self.check(rival_count(store, &counts))
    return TrackerAnswers.Counts(
      users: Int(counts.users), projects: Int(counts.projects), tasks: Int(counts.tasks),
      reviewers: Int(counts.reviewers), watchers: Int(counts.watchers))
  }

  private static func check(_ message: UnsafeMutablePointer<CChar>?) throws {
    guard let message else { return }
    defer { free(message) }
    throw Refusal(description: String(cString: message))
  }
}

extension Listing {
  fileprivate init(_ listing: rival_listing) {
    self.init(rows: Int(listing.rows), digest: listing.digest)
  }
}

extension [UUID] {
  /// The bytes of all identities behind each other: that is what an array of them is.
  fileprivate func withIdentityBytes(_ body: (UnsafePointer<UInt8>?) throws -> Void) rethrows {
    try withUnsafeBytes { try body($0.baseAddress?.assumingMemoryBound(to: UInt8.self)) }
  }
}
