import Foundation
import SwiftSync
import Testing

/// What explanations say of how a fetch finds its objects, and of how a count counts them.
struct ExplanationTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let predicate: Predicate<Specimen>?
    let counting: String
    var testDescription: String { name }
  }

  static let cases = [
    Case(name: "all", predicate: nil, counting: "count: the number of all rows, which is kept"),
    Case(
      name: "indexed", predicate: #Predicate { $0.int > 5 }, counting: "count: entries, without reading rows"),
    Case(
      name: "unindexed", predicate: #Predicate { $0.small > 5 }, counting: "count: rows that are read"),
    Case(
      name: "indexed and not", predicate: #Predicate { $0.int > 5 && $0.small > 5 },
      counting: "count: rows that are read"),
    Case(
      name: "evaluated", predicate: #Predicate { $0.shout == "A!" },
      counting: "count: rows that are read"),
  ]

  @Test(arguments: cases)
  func aCountIsExplainedByItself(_ example: Case) throws {
    let context = ModelContext(try SpecimenStore(seed: 21).container)
    let descriptor = FetchDescriptor(predicate: example.predicate, sortBy: [SortDescriptor(\.text)])
    let lines = try descriptor.explainCount(in: context)
    #expect(lines.hasSuffix(example.counting), "\(lines)")
    #expect(!lines.contains("order:"), "\(lines)")
    #expect(lines.contains("evaluate:") == (example.name == "evaluated"), "\(lines)")
    let fetch = try descriptor.explain(in: context)
    #expect(fetch.contains("order: text") && !fetch.contains("count:"), "\(fetch)")
  }

  /// An index on half of the rows is no good way to them, but a good one to count them.
  @Test func aCountMayTakeAnotherWay() throws {
    let context = ModelContext(try SpecimenStore(seed: 22).container)
    let descriptor = FetchDescriptor<Specimen>(predicate: #Predicate { $0.int > -5 })
    #expect(try descriptor.explain(in: context).contains("by a scan of all"))
    #expect(try descriptor.explainCount(in: context).contains("by the index on int"))
  }

  @Test func unsavedObjectsAreNamed() throws {
    let context = ModelContext(try SpecimenStore(seed: 23).container)
    try context.fetch(FetchDescriptor<Specimen>())[0].text = "edited"
    let lines = try FetchDescriptor<Specimen>().explainCount(in: context)
    #expect(lines.hasSuffix("count: rows that are read\nunsaved: 1 objects, judged by themselves"), "\(lines)")
  }
}
