import Foundation
import TestSupport
import Testing

@testable import SwiftSync

/// Random payloads over a graph with inverses of every kind, by both roads against each other.
@Suite("Records and objects: random payloads come to the same by both roads")
struct RandomRoadTests {
  @Test(arguments: 0..<24)
  func randomPayloads(_ seed: Int) async throws {
    var random = SplitMix64(seed: UInt64(9000 + seed))
    let (engine, objects) = (try trackerContainer(), try trackerContainer())
    var before: [String] = []
    for step in 0..<12 {
      let operations =
        random.chance(60) ? SyncRelationshipOperations.all : SyncRelationshipOperations(rawValue: random.below(8))
      let isProject = random.chance(50)
      let json = isProject ? Self.projects(&random) : Self.nodes(&random)
      let expected = try await outcome(json, isProject, engine, .engine, operations)
      var rehearsed = try await outcome(json, isProject, objects, .objects, operations, dryRun: true)
      let actual = try await outcome(json, isProject, objects, .objects, operations)
      try #require(expected == actual, "step \(step): \(json) with \(operations.rawValue)")
      try #require(rehearsed.graph == before, "step \(step): \(json)")
      before = actual.graph
      rehearsed.graph = actual.graph
      try #require(rehearsed == actual, "dry run of step \(step): \(json) with \(operations.rawValue)")
    }
  }

  private func outcome(
    _ json: String, _ isProject: Bool, _ container: ModelContainer, _ road: Road,
    _ operations: SyncRelationshipOperations, dryRun: Bool = false
  ) async throws -> RoadOutcome {
    func outcome<Model: SyncUpdatableModel>(_ model: Model.Type) async throws -> RoadOutcome {
      try await container.outcome(
        of: json, as: model, by: road, operations: operations, countsLinks: false, dryRun: dryRun)
    }
    return isProject ? try await outcome(Project.self) : try await outcome(Node.self)
  }

  // MARK: Payloads

  private static func list(_ countMax: Int, _ random: inout SplitMix64, _ element: (inout SplitMix64) -> String)
    -> String
  {
    "[" + (0..<random.below(countMax + 1)).map { _ in element(&random) }.joined(separator: ",") + "]"
  }

  /// Rows of trees. Each names its identity, so that no new row is put together of several objects, and refers to rows that are
  /// listed or unknown, so that no link leads to a row that is deleted in the end: by these the roads may differ.
  private static func nodes(_ random: inout SplitMix64) -> String {
    let listed = (0..<random.below(6)).map { _ in 1 + random.below(8) }
    let rows = listed.map { node($0, referringTo: listed + [9], &random, depth: 0) }
    return "[\(rows.joined(separator: ","))]"
  }

  private static func node(_ id: Int, referringTo listed: [Int], _ random: inout SplitMix64, depth: Int) -> String {
    var members = ["\"id\":\(id)"]
    for key in ["parent", "next"] where random.chance(30) {
      if depth < 2, random.chance(40) {
        let nested = node(1 + random.below(8), referringTo: listed, &random, depth: depth + 1)
        members.append("\"\(key)\":\(random.chance(15) ? "null" : nested)")
      } else {
        members.append("\"\(key)_id\":\(random.chance(20) ? "null" : "\(random.pick(listed) ?? 9)")")
      }
    }
    return "{\(members.joined(separator: ","))}"
  }

  private static func projects(_ random: inout SplitMix64) -> String {
    list(4, &random) { random in
      let id = 1 + random.below(4)
      var members = ["\"id\":\(id)", "\"name\":\"P\(random.below(3))\""]
      if random.chance(60) {
        members.append(
          random.chance(50)
            ? "\"tickets\":" + list(3, &random, ticket)
            : "\"ticket_ids\":" + list(3, &random) { "\(1 + $0.below(7))" })
      }
      return "{\(members.joined(separator: ","))}"
    }
  }

  private static func ticket(_ random: inout SplitMix64) -> String {
    var members = [
      "\"id\":\(1 + random.below(6))", "\"title\":\"t\(random.below(3))\"",
      "\"state\":{\"id\":\"\(random.chance(50) ? "open" : "closed")\"}",
    ]
    if random.chance(40) { members.append("\"estimate\":\(random.below(5))") }
    if random.chance(40) {
      members.append("\"assignee\":{\"id\":\"u\(random.below(3))\",\"name\":\"U\(random.below(3))\"}")
    }
    if random.chance(30) { members.append("\"reviewer_id\":\(random.chance(20) ? "null" : "\"u\(random.below(4))\"")") }
    return "{\(members.joined(separator: ","))}"
  }
}
