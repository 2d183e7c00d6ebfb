import Foundation
import Records
import TestSupport
import Testing

@testable import StoreTool

/// What the page of a store gets when it asks.
@Suite struct BrowseTests {
  private let browsed: BrowsedStore

  init() throws {
    browsed = try BrowsedStore()
  }

  private func rows(_ arguments: [String: String]) throws -> [Int] {
    let rows = try browsed.json("api/rows", arguments)["rows"] as? [[String: Any]]
    return try #require(rows).compactMap { $0["row"] as? Int }
  }

  @Test func overviewNamesTablesAndSchema() throws {
    let overview = try browsed.json("api/store")
    let entities = try #require(overview["entities"] as? [[String: Any]])
    #expect(entities.map { $0["name"] as? String } == ["Project", "User", "Task", "Note", "Label"])
    #expect(entities.map { $0["rows"] as? Int } == [1, 3, 2, 2, 4])
    #expect((overview["schema"] as? [[String: Any]])?.count == 5)
    #expect(overview["writable"] as? Bool == false)
  }

  @Test(
    "Rows are searched, sorted and cut into pages",
    arguments: [
      (["entity": "Task"], [1, 2]), (["entity": "Task", "where": "priority < 0"], [2]),
      (["entity": "Task", "sort": "title"], [2, 1]), (["entity": "Task", "sort": "-title"], [1, 2]),
      (["entity": "User", "sort": "-id", "limit": "1", "offset": "1"], [1]),
      (["entity": "User", "offset": "99999999999999"], []), (["entity": "User", "limit": "0"], []),
      (["entity": "Task", "where": "ANY reviewers.name BEGINSWITH 'Ž'"], [2]),
    ] as [([String: String], [Int])])
  func rowsAreChosen(_ arguments: [String: String], _ expected: [Int]) throws {
    #expect(try rows(arguments) == expected)
  }

  @Test func valuesAreTextWithAllDigits() throws {
    let answer = try browsed.json("api/rows", ["entity": "Task", "where": "isDone == YES"])
    #expect(answer["count"] as? Int == 1)
    let row = try #require((answer["rows"] as? [[String: Any]])?.first?["values"] as? [Any])
    let texts = row.prefix(12).map { $0 as? String ?? "?" }
    #expect(texts.contains("18446744073709551615") && texts.contains("12345678901234567890.123456789"))
    #expect(texts.contains("https://example.com/a?b=c#d") && texts.contains("AP8Q (3 bytes)"))
    let project = try #require(row[12] as? [String: Any])
    #expect(project["row"] as? Int == 1 && project["label"] as? String == "site")
    let reviewers = try #require(row[13] as? [String: Any])
    #expect(reviewers["count"] as? Int == 2)
    #expect((reviewers["rows"] as? [[String: Any]])?.map { $0["label"] as? String } == ["12", "7"])
  }

  @Test func rowIsShownDownToItsBytes() throws {
    let row = try browsed.json("api/row", ["entity": "User", "row": "3"])
    #expect(row["label"] as? String == "12")
    let bytes = try #require(row["bytes"] as? String)
    #expect(bytes.count == 2 * (row["byteCount"] as? Int ?? 0))
    let name = "Žofie".utf8.map { String($0, radix: 16) }.joined()
    #expect(bytes.contains(name))
    let members = try browsed.json(
      "api/members", ["entity": "Task", "row": "2", "relationship": "reviewers", "offset": "1"])
    #expect(members["count"] as? Int == 2)
    #expect((members["rows"] as? [[String: Any]])?.map { $0["row"] as? Int } == [1])
  }

  @Test func historyAndStatisticsAreThere() throws {
    let history = try browsed.json("api/history")
    #expect(history["last"] as? Int == 1)
    let transaction = try #require((history["transactions"] as? [[String: Any]])?.first)
    let entities = try #require(transaction["entities"] as? [[String: Any]])
    #expect((entities.first?["inserted"] as? [String: Any])?["rows"] as? [Int] == [1])
    #expect((try browsed.json("api/history", ["before": "1"])["transactions"] as? [Any])?.isEmpty == true)
    #expect((try browsed.json("api/history", ["before": "0"])["transactions"] as? [Any])?.isEmpty == true)
    let statistics = try browsed.json("api/statistics")
    #expect((statistics["entities"] as? [Any])?.count == 5 && statistics["readers"] as? Int == 0)
  }

  @Test(
    "What makes no sense is refused with one sentence",
    arguments: [
      ("api/rows", [:], 400, "The argument 'entity' is missing."),
      ("api/rows", ["entity": "Nope"], 400, "There is no entity 'Nope'"),
      ("api/rows", ["entity": "Task", "where": "title ="], 400, "At character 7"),
      ("api/rows", ["entity": "Task", "where": "nope == 1"], 400, "nope"),
      ("api/rows", ["entity": "Task", "sort": "reviewers.name"], 400, "reviewers.name"),
      ("api/rows", ["entity": "Task", "offset": "-1"], 400, "The argument 'offset' is to be a number from 0."),
      ("api/rows", ["entity": "Task", "offset": "99999999999999999999"], 400, "a number from 0"),
      ("api/rows", ["entity": "Task", "where": String(repeating: "(", count: 9000)], 414, "is too long"),
      ("api/row", ["entity": "Task", "row": "99"], 400, "There is no row 99 of Task."),
      ("api/row", ["entity": "Task"], 400, "The argument 'row' is missing."),
      ("api/members", ["entity": "Task", "row": "1", "relationship": "project"], 400, "Task has no project"),
      ("api/nope", [:], 404, "There is nothing here."), ("../page.js", [:], 404, "There is nothing here."),
      ("page.js/../../etc/passwd", [:], 404, "There is nothing here."),
      ("%2e%2e/%2e%2e/etc/passwd", [:], 404, "There is nothing here."),
    ] as [(String, [String: String], Int, String)])
  func mistakes(_ path: String, _ arguments: [String: String], _ status: Int, _ part: String) throws {
    let response = browsed.response(path, arguments)
    #expect(response.status == status)
    #expect(try BrowsedStore.sentence(response).contains(part))
  }

  @Test func deeplyNestedPredicatesDoNoHarm() throws {
    let response = browsed.response(
      "api/rows", ["entity": "Task", "where": String(repeating: "(", count: 4000) + "isDone == YES"])
    #expect(response.status == 400)
  }

  /// A request that waits is answered by a commit, and one that knows of less is answered at once.
  @Test func commitsAreTold() throws {
    let browsed = try BrowsedStore(isWriting: true)
    let version = try #require(try browsed.json("api/store")["version"] as? Int)
    _ = try browsed.store.write { try $0.insert("User", ["id": .int(99), "name": .string("New")]) }
    let news = browsed.changes.wait(since: version, seconds: 600)
    #expect(news.version > version && !news.isGone)
    #expect(try browsed.json("api/changes", ["since": "\(version)"])["version"] as? Int == news.version)
    #expect(browsed.changes.wait(since: news.version, seconds: 0) == news)
    browsed.changes.add(.unknown(stateNumber: nil))
    #expect(try browsed.json("api/changes", ["since": "\(news.version + 1)"])["gone"] as? Bool == true)
  }

  @Test func waitingEndsWithTheServer() throws {
    let changes = LiveChanges()
    changes.end()
    #expect(changes.wait(since: 0, seconds: 600) == LiveChanges.News(version: 0, isGone: false))
  }
}
