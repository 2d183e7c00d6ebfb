import Foundation

/// A store of the tracker's rows, and what an application does with them.
protocol PeerStore {
  /// Makes the store equal to the payload in a folder, from files to a durable commit. Returns where the time went, as far as
  /// the peer says it, in milliseconds.
  func sync(_ payload: String) async throws -> [Phase]
  /// Stores tasks durably, each by itself. As many as `concurrency` may be under way at the same time, if that helps.
  func upsert(_ tasks: [Data], concurrency: Int) async throws
  /// The tasks with these identities.
  func find(_ ids: [UUID]) throws -> Listing
  /// The same by queries, if the peer has another way to find a task.
  func fetch(_ ids: [UUID]) throws -> Listing
  /// The tasks of each project, the latest change first.
  func list(_ projects: [UUID]) throws -> Listing
  /// The newest tasks with at least a priority.
  func urgent(priority: Int, limit: Int) throws -> Listing
  /// The bytes of each project's JSON with its tasks, added up.
  func export(_ projects: [UUID]) throws -> Int
  func counts() throws -> TrackerAnswers.Counts
  func close()
}

extension PeerStore {
  func fetch(_ ids: [UUID]) throws -> Listing { try find(ids) }
}

/// A part of an operation, and the milliseconds that it took.
struct Phase: Codable {
  var name: String
  var milliseconds: Double
}
