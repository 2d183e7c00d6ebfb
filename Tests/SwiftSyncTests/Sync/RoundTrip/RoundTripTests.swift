import Foundation
import SwiftSync
import TestSupport
import Testing

/// Random graphs of objects, exported and synced into an empty store.
@MainActor
@Suite("11, 3 to 10: Export then import is the identity; dictionaries and text come to the same")
struct RoundTripTests {
  enum Road: CaseIterable, Sendable {
    case dictionaries, text
  }

  /// Crates with random values. `next` leads anywhere but to the crate itself, and so in circles: an export has an empty object
  /// for a crate that is reached again, which says nothing, but a row of its own for each crate.
  private func fill(_ container: SyncContainer, using random: inout SplitMix64) throws {
    let context = ModelContext(container.modelContainer)
    let crates = (1...Int.random(in: 1...6, using: &random)).map { Cargo(id: $0, using: &random) }
    for crate in crates { context.insert(crate) }
    for (place, crate) in crates.enumerated() {
      let later = crates[(place + 1)...]
      crate.outer = later.randomElement(using: &random)
      crate.next = crates.filter { $0 !== crate }.randomElement(using: &random)
      crate.likes = later.filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
    }
    try context.save()
  }

  private func export(_ container: SyncContainer) throws -> [[String: Any]] {
    let context = ModelContext(container.modelContainer)
    return try context.fetch(FetchDescriptor<Cargo>(sortBy: [SortDescriptor(\.id)])).map { container.export($0) }
  }

  private func sync(_ payload: [[String: Any]], into container: SyncContainer, by road: Road) async throws
    -> SyncReport
  {
    switch road {
    case .dictionaries: return try await container.sync(payload: payload, as: Cargo.self)
    case .text:
      let data = try JSONSerialization.data(withJSONObject: payload)
      return try await container.sync(json: data, as: Cargo.self)
    }
  }

  @Test(arguments: 0..<12, Road.allCases)
  func exportThenImport(_ seed: Int, _ road: Road) async throws {
    var random = SplitMix64(seed: UInt64(700 + seed))
    let style: KeyStyle = seed % 2 == 0 ? .snakeCase : .camelCase
    let (source, target) = (try SyncContainer.ofCargo(style), try SyncContainer.ofCargo(style))
    try fill(source, using: &random)
    let payload = try export(source)
    let report = try await sync(payload, into: target, by: road)
    #expect(report.replacedValues.isEmpty && report.skippedRows.isEmpty && report.duplicateKeys.isEmpty, "\(report)")
    #expect(try target.cargoContents() == source.cargoContents())
    // Into itself it changes nothing.
    #expect(try await sync(payload, into: source, by: road).changedNothing)
  }

  @Test(
    "Exported as identities, links of an object to itself arrive too; as objects, they alone are lost", arguments: 0..<6
  )
  func linksToOneself(_ seed: Int) async throws {
    var random = SplitMix64(seed: UInt64(900 + seed))
    let source = try SyncContainer.ofCargo()
    try fill(source, using: &random)
    let context = ModelContext(source.modelContainer)
    let crates = try context.fetch(FetchDescriptor<Cargo>(sortBy: [SortDescriptor(\.id)]))
    for crate in crates where Bool.random(using: &random) { crate.next = crate }
    crates[0].next = crates[0]
    try context.save()
    for (options, isComplete) in [(ExportOptions(relationships: .identities), true), (ExportOptions(), false)] {
      let target = try SyncContainer.ofCargo()
      try await target.sync(payload: crates.map { source.export($0, using: options) }, as: Cargo.self)
      if !isComplete {
        for crate in crates where crate.next === crate { crate.next = nil }
        try context.save()
      }
      #expect(try target.cargoContents() == source.cargoContents())
    }
  }

  /// A document of any quality: missing, null, unreadable and odd values, links by identities and by objects.
  private func document(like source: [String: Any], using random: inout SplitMix64) -> [[String: Any]] {
    let values: [Any] = [
      NSNull(), true, 0, 1, -1, 300, 42.5, 1e15, "", "x", "7", "true", "2020-01-01", "2020-02-30", "aGk=", "1.5",
      [Any](), [1, 2], ["a", "b"], [String: Any](), ["id": 2], ["id": 3, "label": ["text": "t"]] as [String: Any],
      [["id": 4], ["id": 5]],
    ]
    return (0..<Int.random(in: 0..<4, using: &random)).map { _ in
      var row = source
      row["id"] = Int.random(in: 1...4, using: &random)
      for key in source.keys.sorted() + ["next_id", "like_ids", "outer_id"] {
        switch Int.random(in: 0..<24, using: &random) {
        case 0: row[key] = nil
        case 1: row[key] = values[Int.random(in: 0..<values.count, using: &random)]
        default: break
        }
      }
      return row
    }
  }

  @Test(
    "The same document as dictionaries and as text: the same rows, the same report, the same refusal", arguments: 0..<8)
  func dictionariesAndText(_ seed: Int) async throws {
    var random = SplitMix64(seed: UInt64(800 + seed))
    let (left, right) = (try SyncContainer.ofCargo(), try SyncContainer.ofCargo())
    let source = left.export(Cargo(id: 1, using: &random))
    var acceptedCount = 0
    for step in 0..<25 {
      let text = try JSONSerialization.data(withJSONObject: document(like: source, using: &random))
      let payload = try #require(try JSONSerialization.jsonObject(with: text) as? [[String: Any]])
      let outcomes = (
        await outcome { try await left.sync(payload: payload, as: Cargo.self) },
        await outcome { try await right.sync(json: text, as: Cargo.self) }
      )
      if outcomes.0.report != nil { acceptedCount += 1 }
      #expect(outcomes.0 == outcomes.1, "step \(step): \(String(decoding: text, as: UTF8.self))")
      try #require(try left.cargoContents() == right.cargoContents(), "\(String(decoding: text, as: UTF8.self))")
    }
    #expect((3...22).contains(acceptedCount), "both outcomes have to occur: \(acceptedCount)")
  }

  private func outcome(_ sync: () async throws -> SyncReport) async -> Outcome {
    do {
      return Outcome(report: try await sync(), error: nil)
    } catch {
      return Outcome(report: nil, error: "\(error)")
    }
  }

  private struct Outcome: Equatable {
    let report: SyncReport?
    let error: String?
  }
}
