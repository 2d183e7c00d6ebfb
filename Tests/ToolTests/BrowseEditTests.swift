import Foundation
import HTTPServing
import Records
import TestSupport
import Testing

@testable import StoreTool

/// What the page can change, when the tool was asked to let it.
@Suite struct BrowseEditTests {
  private let browsed: BrowsedStore

  init() throws {
    browsed = try BrowsedStore(isWriting: true)
  }

  private func values(_ entity: String, _ row: Int) throws -> [Any] {
    try #require(try browsed.json("api/row", ["entity": entity, "row": "\(row)"])["values"] as? [Any])
  }

  @Test func valuesAreEdited() throws {
    let edit = #"{"entity":"Task","row":1,"values":{"title":"<b>New</b>","isDone":"true","priority":"7","views":null}}"#
    #expect(browsed.edit("api/edit", edit).status == 200)
    let values = try values("Task", 1).prefix(5).map { $0 as? String }
    #expect(values == [TrackerStore.tasks[1].uuidString, "<b>New</b>", "true", "7", nil])
    let transactions = try browsed.json("api/history")["transactions"] as? [[String: Any]]
    #expect(transactions?.first?["author"] as? String == "swiftsync browse")
  }

  @Test func rowsAreDeletedByTheirRules() throws {
    #expect(browsed.edit("api/delete", #"{"entity":"Note","row":2}"#).status == 200)
    #expect(browsed.response("api/row", ["entity": "Note", "row": "2"]).status == 400)
    #expect(browsed.edit("api/delete", #"{"entity":"Note","row":2}"#).status == 400)
  }

  @Test(
    "What can't be is refused, and nothing has changed",
    arguments: [
      (#"{"entity":"User","row":1,"values":{"name":"New","id":"x"}}"#, 400, "id can't be that"),
      (#"{"entity":"User","row":1,"values":{"name":"New","id":"12"}}"#, 409, "12"),
      (#"{"entity":"User","row":1,"values":{"name":"New","nope":"12"}}"#, 400, "User has no nope"),
      (#"{"entity":"User","row":9,"values":{"name":"New"}}"#, 400, "There is no row 9 of User."),
      (#"{"entity":"Nope","row":1,"values":{}}"#, 400, "There is no entity 'Nope'"),
      (#"{"entity":"User","row":1,"values":{"name":null}}"#, 409, "name"),
      ("nonsense", 415, "JSON"), ("", 415, "JSON"),
    ] as [(String, Int, String)])
  func mistakes(_ body: String, _ status: Int, _ part: String) throws {
    let response = browsed.edit("api/edit", body)
    #expect(response.status == status)
    let sentence = try BrowsedStore.sentence(response)
    #expect(sentence.contains(part), "\(sentence)")
    #expect(try values("User", 1).prefix(2).map { $0 as? String } == ["7", "Ada"])
  }

  /// What a form of another page could send, if it knew the secret.
  @Test func formsAreNoEdits() throws {
    let body = #"{"entity":"User","row":1,"values":{"name":"X"}}"#
    for headers in [[:], ["content-type": "text/plain"], ["content-type": "application/x-www-form-urlencoded"]] {
      let response = browsed.response("api/edit", method: "POST", headers: headers, body: body)
      #expect(response.status == 415)
    }
    let origin = ["content-type": "application/json", "origin": "https://evil.example"]
    #expect(browsed.response("api/edit", method: "POST", headers: origin, body: body).status == 403)
    #expect(try values("User", 1)[1] as? String == "Ada")
  }
}
