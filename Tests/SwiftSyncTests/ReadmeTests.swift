import Foundation
import SwiftSync
import Testing

@MainActor
@Suite("README: its tour is the code that is compiled here, and does what it says")
struct ReadmeTests {
  @Test("Every Swift block of the README stands in ReadmeTour.swift")
  func sameCode() throws {
    let tour = try DocumentedCode(document: "README.md", file: #filePath, named: "ReadmeTour.swift")
    let code = tour.blocks.filter { !$0.hasPrefix(".package(") }
    #expect(code.count >= 4)
    for block in code { #expect(tour.source.contains(block)) }
  }

  @Test("The tour syncs, queries, edits and exports")
  func tour() async throws {
    let container = try openContainer(at: nil)
    let report = try await syncBooks(into: container)
    #expect(report.entities["Book"]?.updated == 1 && report.entities["Book"]?.deleted == 1)
    let exported = try renameLongBooks(in: container)
    #expect(exported.count == 1)
    #expect(exported.first?["title"] as? String == "Notes on the Engine (long)")
    #expect((exported.first?["author"] as? [String: Any])?["name"] as? String == "Ada")
  }
}
