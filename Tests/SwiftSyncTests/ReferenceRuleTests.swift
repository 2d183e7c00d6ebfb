import Foundation
import Testing

@Suite("docs/reference-rules.md and the names of tests speak of the same rules")
struct ReferenceRuleTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The numbers of rules in the first cells of the page's tables.
  private func rulesOfThePage() throws -> Set<String> {
    let page = try String(contentsOf: Self.root.appendingPathComponent("docs/reference-rules.md"), encoding: .utf8)
    return Set(
      page.split(separator: "\n").compactMap { line in
        line.wholeMatch(of: #/\| (B-\d+|(?:CD-)?\d+(?:\.\d+)?(?:-\d+)?) \|.*/#).map { String($0.1) }
      })
  }

  /// The numbers of rules that the names of suites and tests have, each with a file that it is in.
  private func rulesOfTheTests() throws -> [String: String] {
    let folder = Self.root.appendingPathComponent("Tests").resolvingSymlinksInPath()
    let names = try #require(FileManager.default.enumerator(atPath: folder.path))
    var found: [String: String] = [:]
    for case let name as String in names where name.hasSuffix("Tests.swift") {
      let source = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
      for match in source.matches(of: #/@(?:Suite|Test)\(\s*"((?:[^"\\]|\\.)*)"/#) {
        for rule in rules(in: match.1) { found[rule] = name }
      }
    }
    return found
  }

  /// A single number is a rule only where a name begins with it.
  private func rules(in name: Substring) -> [String] {
    let first = name.prefixMatch(of: #/(\d+)[:, ]/#).map { [String($0.1)] } ?? []
    return first + name.matches(of: #/\b(?:B-\d+|CD-\d+(?:\.\d+)?|\d+\.\d+(?:-\d+)?)\b/#).map { String($0.0) }
  }

  @Test func everyRuleOfThePageIsNamedByATest() throws {
    let (page, tests) = (try rulesOfThePage(), try rulesOfTheTests())
    #expect(page.count > 80)
    let missing = page.filter { tests[$0] == nil }
    #expect(missing.isEmpty, "no test says \(missing.sorted())")
  }

  @Test func everyRuleThatATestNamesIsOnThePage() throws {
    let page = try rulesOfThePage()
    for (rule, file) in try rulesOfTheTests() {
      // A rule, a whole area (`11`, `2.2`), or a step of a rule (`8.2-4`).
      let isArea = page.contains { $0.hasPrefix("\(rule).") || $0.hasPrefix("\(rule)-") }
      let isKnown = page.contains(rule) || isArea || page.contains(String(rule.prefix { $0 != "-" }))
      #expect(isKnown, "\(rule) in \(file)")
    }
  }
}
