import Foundation
import HTTPServing
import Records
import TestSupport
import Testing

@testable import StoreTool

/// Who may ask for the page of a store, and what may be in its rows.
@Suite struct BrowseSecurityTests {
  @Test(
    "Requests of other pages and for other names are refused",
    arguments: [
      (["host": "127.0.0.1:8080"], 200), (["host": "localhost:8080"], 200), (["host": "evil.example"], 403),
      (["host": "evil.example:8080"], 403), (["host": "127.0.0.1:8081"], 403), (["host": "127.0.0.1"], 403),
      (["host": ""], 403), (["host": "127.0.0.1:8080, evil.example"], 403),
      (["origin": "http://127.0.0.1:8080"], 200), (["origin": "https://evil.example"], 403), (["origin": "null"], 403),
      (["origin": "http://localhost:8080"], 403), (["host": "localhost:8080", "origin": "http://localhost:8080"], 200),
      (["sec-fetch-site": "same-origin"], 200), (["sec-fetch-site": "none"], 200),
      (["sec-fetch-site": "cross-site"], 403), (["sec-fetch-site": "same-site"], 403),
    ] as [([String: String], Int)])
  func strangers(_ headers: [String: String], _ status: Int) throws {
    let browsed = try BrowsedStore()
    for path in ["", "page.js", "api/store"] {
      #expect(browsed.response(path, headers: headers).status == status)
    }
  }

  @Test func onlyTheSecretLeadsAnywhere() throws {
    let browsed = try BrowsedStore()
    let token = browsed.browsing.token
    #expect(token.count == 32)
    #expect(try BrowsedStore().browsing.token != token)
    let paths = [
      "", "/", "/\(token)", "//\(token)/", "/\(token)x/", "/\(token.dropLast())/", "/\(token.uppercased())x/api/store",
      "/x/api/store", "/api/store", token,
    ]
    for path in paths {
      let request = HTTPRequest("GET", path, headers: ["host": "127.0.0.1:8080"])
      #expect(browsed.browsing.response(to: request).status == 404, "\(path)")
    }
    var request = HTTPRequest("GET", "/\(token)/api/store")
    #expect(browsed.browsing.response(to: request).status == 403)
    request.headers = ["host": "127.0.0.1:8080"]
    #expect(browsed.browsing.response(to: request).status == 200)
  }

  @Test func everyAnswerForbidsWhatThePageDoesNotNeed() throws {
    let browsed = try BrowsedStore()
    for path in ["", "page.css", "page.js", "api/store", "api/nope"] {
      let headers = Dictionary(
        uniqueKeysWithValues: browsed.response(path).headers.map { ($0.name, $0.value) })
      #expect(headers["Content-Security-Policy"]?.hasPrefix("default-src 'none'; script-src 'self';") == true)
      #expect(headers["Content-Security-Policy"]?.contains("unsafe") == false)
      #expect(headers["X-Content-Type-Options"] == "nosniff" && headers["Referrer-Policy"] == "no-referrer")
      #expect(headers["Cache-Control"] == "no-store")
      #expect(!headers.keys.contains("Access-Control-Allow-Origin"))
    }
  }

  /// The page is for text alone: it has no way to make HTML of what it gets.
  @Test func pageMakesNoHTML() throws {
    let browsed = try BrowsedStore()
    let files = ["elements", "values", "table", "row", "schema", "figures", "page"]
    let script = files.map { String(decoding: browsed.response("\($0).js").body, as: UTF8.self) }.joined()
    for word in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "http://", "https://"] {
      #expect(!script.replacing("http://www.w3.org/2000/svg", with: "").contains(word), "\(word)")
    }
    let document = String(decoding: browsed.response("").body, as: UTF8.self)
    #expect(document.components(separatedBy: "<script src").count == files.count + 1)
    #expect(!document.contains("http") && !document.contains("style="))
  }

  @Test func pageIsReadOnlyUnlessItWasAskedFor() throws {
    let browsed = try BrowsedStore()
    let body = #"{"entity":"User","row":1,"values":{"name":"X"}}"#
    let response = browsed.edit("api/edit", body)
    #expect(response.status == 403)
    #expect(try BrowsedStore.sentence(response) == "The page is for reading only; start the tool with --write.")
    #expect(browsed.response("", method: "POST").status == 405)
    #expect(browsed.response("api/store", method: "PUT").status == 405)
  }
}
