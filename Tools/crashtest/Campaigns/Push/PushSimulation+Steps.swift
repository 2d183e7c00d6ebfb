import DemoClient
import DemoServer
import DemoWire
import SwiftSync
import TestSupport

// What can happen in a simulation.
extension PushSimulation {
  func step() async throws {
    guard let client = random.pick(clients) else { return }
    switch random.below(100) {
    case ..<45: try edit(client)
    case ..<60: try await push(client)
    case ..<72: try await pull(client)
    case ..<76: try await goOffline(client)
    case ..<82: try changeServer()
    case ..<87: try network.deliverDelayed()
    case ..<91: try await attendToFailures(client)
    case ..<94:
      trace.note("\(client.name) restarts")
      try client.restart()
      count("restarts")
    default: try await die(client)
    }
  }

  // MARK: - Client

  private func push(_ client: SimulatedClient) async throws {
    trace.note("\(client.name) pushes")
    var isCancelled = false
    if random.chance(45) {
      client.whileSending = { [self] request in
        guard request.path == "/sync/upload" else { return }
        client.whileSending = nil
        trace.note("  meanwhile:")
        switch random.below(100) {
        case ..<75: try edit(client)
        case ..<90: try await client.engine.syncProjects()
        default:
          trace.note("  the push is cancelled")
          isCancelled = true
          withUnsafeCurrentTask { $0?.cancel() }
        }
      }
    }
    defer { client.whileSending = nil }
    do {
      try await client.push()
      count("pushes")
    } catch is TransportError {
      count("pushes without an answer")
    } catch  where isCancelled && !(error is Finding) {
      count("pushes cancelled")
    }
  }

  private func pull(_ client: SimulatedClient) async throws {
    trace.note("\(client.name) pulls")
    do {
      let tasks = try client.ids(of: DemoClient.Task.self)
      switch random.below(4) {
      case 0: try await client.engine.syncProjects()
      case 1: if let id = random.pick(tasks) { try await client.engine.syncTaskDetail(taskID: id) }
      case 2:
        if let id = random.pick(try client.ids(of: Project.self)) { try await client.engine.fetchTasks(projectID: id) }
      default: for id in try client.ids(of: Project.self) { try await client.engine.fetchTasks(projectID: id) }
      }
      count("pulls")
    } catch is TransportError {
      count("pulls without an answer")
    }
  }

  private func goOffline(_ client: SimulatedClient) async throws {
    trace.note("\(client.name) is \(client.engine.isOffline ? "online" : "offline")")
    client.engine.isOffline.toggle()
    // Coming back has begun a push in the background, which this one joins.
    if !client.engine.isOffline { try await push(client) }
  }

  private func attendToFailures(_ client: SimulatedClient) async throws {
    guard let failure = random.pick(try client.engine.failedChanges()) else { return }
    count("rejections")
    if random.chance(50) {
      trace.note("\(client.name) retries \(failure.id)")
      client.ledger.retried(key: failure.idempotencyKey)
      try await client.engine.retryFailedChange(failure)
    } else {
      do { try await giveUp(failure, of: client) } catch is TransportError {} catch SyncPushError.baseUnknown {}
    }
  }

  /// Ends the client in the middle of something, and starts it again from what is in its files.
  private func die(_ client: SimulatedClient) async throws {
    let writes = random.below(random.chance(50) ? 6 : 40)
    trace.note("\(client.name) will die after \(writes) writes")
    client.dieSoon(afterWrites: writes)
    do {
      for _ in 0..<1 + random.below(3) where !client.noteDeath() {
        switch random.below(3) {
        case 0: try edit(client)
        case 1: try await push(client)
        default: try await pull(client)
        }
      }
    } catch let finding as Finding {
      throw finding
    } catch {
      // Whatever it is, nobody hears of it any more.
      guard client.noteDeath() else { throw error }
    }
    trace.note("\(client.name) is dead, and starts again")
    try client.resurrect()
    try client.checkStore()
    count("deaths")
  }

  // MARK: - Server

  /// Somebody else changes tasks, or deletes a project.
  private func changeServer() throws {
    if random.chance(30) { return try deleteProjectAtServer() }
    let tasks = network.rows().filter { $0.hasPrefix("task ") }.map { String($0.split(separator: " ")[1]) }
    guard let id = random.pick(tasks) else { return }
    let path = Request.path("tasks", id)
    if random.chance(25) {
      trace.note("the server deletes \(id)")
      _ = network.backend.handle(Request(.delete, path))
    } else {
      trace.note("the server changes \(id)")
      let body = Data("{\"description\": \"d\(random.below(1000))\"}".utf8)
      _ = network.backend.handle(Request(.patch, path, body: body))
    }
    count("changes at the server")
  }

  /// Deletes a project that has no tasks there, whatever clients have put into it meanwhile.
  private func deleteProjectAtServer() throws {
    let rows = network.rows().map { $0.split(separator: " ").map(String.init) }
    let used = Set(rows.filter { $0[0] == "task" }.map { $0[5] })
    let empty = rows.filter { $0[0] == "project" && $0[1].hasPrefix("q") && !used.contains($0[1]) }
    guard let project = random.pick(empty), let time = project.last.flatMap(Timestamp.init) else { return }
    trace.note("the server deletes \(project[1])")
    let operation = [
      "operation": "delete", "type": "projects", "id": project[1], "key": "server-\(random.next())",
      "updatedAt": time.next(notBefore: Timestamp(self.time.shown(ahead: 0))).text,
    ]
    let body = try JSONSerialization.data(withJSONObject: ["operations": [operation]], options: .sortedKeys)
    _ = network.backend.handle(Request(.post, Request.path("sync", "upload"), body: body))
    count("changes at the server")
  }
}
