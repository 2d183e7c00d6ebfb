import Foundation
import FoundationNetworking
import Glibc
import HTTPServing
import Records
import TestSupport
import Testing

@testable import StoreTool

/// The tool as a server.
@Suite struct BrowseServerTests {
  /// A tool that serves a store, and where.
  private func start(_ folder: TemporaryFolder, _ arguments: String...) throws -> (tool: ChildProgram, address: String)
  {
    let tool = try ChildProgram(
      ChildProgram.built("swiftsync"), ["browse", folder["s"]] + arguments, output: folder["out"],
      messages: folder["messages"])
    while try !tool.hasEnded() {
      // It is there from some moment on.
      let text = (try? ToolRun.text(at: folder["out"])) ?? ""
      if text.hasSuffix("\n") { return (tool, String(text.dropLast())) }
      sched_yield()
    }
    return (tool, "")
  }

  private func get(_ address: String, timeout: Double = 3600) async throws -> (status: Int, body: Data) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = timeout
    let (data, head) = try await URLSession(configuration: configuration).data(from: try #require(URL(string: address)))
    return ((head as? HTTPURLResponse)?.statusCode ?? 0, data)
  }

  @Test func toolServesUntilItIsInterrupted() async throws {
    let folder = try TemporaryFolder()
    try TrackerStore.make(at: folder["s"])
    let (tool, address) = try start(folder)
    #expect(address.hasPrefix("http://127.0.0.1:"))
    let page = try await get(address)
    #expect(page.status == 200 && String(decoding: page.body, as: UTF8.self).hasPrefix("<!doctype html>"))
    let rows = try await get("\(address)api/rows?entity=User&where=name+%3D%3D%20%27%C5%BDofie%27")
    #expect(rows.status == 200 && String(decoding: rows.body, as: UTF8.self).contains(#""count":1"#))
    #expect(try await get(address + "nope").status == 404)
    kill(tool.id, SIGINT)
    #expect(try tool.wait() == .killed(signal: SIGINT))
    #expect(try ToolRun.text(at: folder["messages"]) == "")
  }

  /// The store that the tool has open is read on, but the page is told that it is not there any more.
  @Test func removedStoresAreNoticed() async throws {
    let folder = try TemporaryFolder()
    try TrackerStore.make(at: folder["s"])
    let (tool, address) = try start(folder)
    try FileManager.default.moveItem(atPath: folder["s"], toPath: folder["other"])
    // Answered when there is news, or after a while: then it is asked again.
    var text = ""
    while !text.contains(#""gone":true"#) {
      let answer = try await get("\(address)api/changes?since=0")
      try #require(answer.status == 200)
      text = String(decoding: answer.body, as: UTF8.self)
    }
    kill(tool.id, SIGTERM)
    #expect(try tool.wait() == .killed(signal: SIGTERM))
  }

  @Test func manyRequestsAtATimeAreAnswered() async throws {
    let browsed = try BrowsedStore(fill: LargeStore.make)
    let server = try HTTPServer(
      threads: .eachConnection, connectionsMax: Browsing.connectionsMax, bodyBytesMax: Browsing.bodyBytesMax
    ) { [browsing = browsed.browsing] in browsing.response(to: $0) }
    browsed.browsing.serve(at: server.port)
    let address = browsed.browsing.address
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 3600
    configuration.httpMaximumConnectionsPerHost = 200
    let session = URLSession(configuration: configuration)
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<200 {
        let url = try #require(URL(string: "\(address)api/rows?entity=Task&offset=\(number)"))
        group.addTask { (try await session.data(from: url).1 as? HTTPURLResponse)?.statusCode ?? 0 }
      }
      return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
    #expect(statuses == [200: 200])
    browsed.changes.end()
  }

  @Test func portsAreTakenAsGiven() throws {
    let folder = try TemporaryFolder()
    try TrackerStore.make(at: folder["s"])
    let server = try HTTPServer(bodyBytesMax: 1) { _ in HTTPResponse(status: 200, json: Data()) }
    let taken = try ToolRun("browse", folder["s"], "--port", "\(server.port)")
    #expect(taken.end == .exited(1) && taken.messages.contains("Port \(server.port) can't be listened on"))
    for port in ["0", "65536", "x", "-1"] {
      #expect(try ToolRun("browse", folder["s"], "--port=\(port)").end == .exited(64))
    }
    #expect(try ToolRun("browse", folder["none"]).end == .exited(1))
  }

  /// An application that has the store open is left alone.
  @Test func writingNeedsTheStoreForItself() throws {
    let folder = try TemporaryFolder()
    try TrackerStore.make(at: folder["s"])
    let store = try RecordStore(at: folder["s"], schema: .tracker)
    defer { store.close() }
    let run = try ToolRun("browse", folder["s"], "--write")
    #expect(run.end == .exited(1) && run.output == "" && run.messages.hasPrefix("swiftsync: "))
  }

  @Test func damagedRowsAreNamedAndOthersShown() throws {
    let browsed = try BrowsedStore { path in
      try TrackerStore.make(at: path)
      let file = URL(filePath: "\(path)/data.mdb")
      var data = try Data(contentsOf: file)
      let name = try #require(data.firstRange(of: Data("Žofie".utf8)))
      data[name.lowerBound + 2] ^= 1
      try data.write(to: file)
    }
    let response = browsed.response("api/rows", ["entity": "User"])
    #expect(response.status == 500)
    #expect(try BrowsedStore.sentence(response) == "The record of User row 3 is damaged.")
    #expect(browsed.response("api/rows", ["entity": "Task"]).status == 500)
    #expect(browsed.response("api/rows", ["entity": "Note"]).status == 200)
    browsed.store.close()
    #expect(browsed.response("api/rows", ["entity": "Note"]).status == 500)
  }

  /// A page that ends its reader ends the tool with a sentence, and leaves nothing behind that goes on serving.
  @Test func damagedPagesEndTheToolWithASentence() async throws {
    let folder = try TemporaryFolder()
    try LargeStore.make(at: folder["s"])
    let (tool, address) = try start(folder)
    truncate(folder["s/data.mdb"], 8192)
    _ = try? await get("\(address)api/rows?entity=Task")
    #expect(try tool.wait() == .exited(1))
    let messages = try ToolRun.text(at: folder["messages"])
    #expect(messages.contains("is damaged: reading it ended with SIG"), "\(messages)")
  }
}
