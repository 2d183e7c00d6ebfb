import Foundation
import Testing

@testable import SyncEngine

@Suite("11.1: Where exported values go")
struct ExportPathTests {
  @Test(arguments: [
    ([("a", 1), ("b", 2)], #"{"a":1,"b":2}"#),
    ([("state.id", 1), ("state.label", 2)], #"{"state":{"id":1,"label":2}}"#),
    ([("a.b.c", 1), ("a.d", 2), ("a.b.e", 3)], #"{"a":{"b":{"c":1,"e":3},"d":2}}"#),
    ([("a", 1), ("a", 2)], #"{"a":2}"#),
    ([("a", 1), ("a.b", 2)], #"{"a":{"b":2}}"#),
    ([("a.b", 1), ("a", 2)], #"{"a":2}"#),
    ([(".a..b.", 1)], #"{"a":{"b":1}}"#),
    ([("", 1), (".", 2), ("..", 3)], "{}"),
  ])
  func nests(_ values: [(String, Int)], _ expected: String) throws {
    var object: [String: Any] = [:]
    for (key, value) in values { ExportPath.set(value, at: key, in: &object) }
    let data = try JSONSerialization.data(withJSONObject: object, options: .sortedKeys)
    #expect(String(decoding: data, as: UTF8.self) == expected)
  }
}
