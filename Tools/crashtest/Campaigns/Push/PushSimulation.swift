import CInterpose
import DemoClient
import DemoServer
import DemoWire
import SwiftSync
import TestSupport

/// Some clients, a server and a bad network between them, until a hundred things and some have happened. Then the network heals, and
/// everybody must come to agree.
///
/// Everything follows from the seed: there is one thread of events, and time goes on when it is told to.
@MainActor final class PushSimulation {
  private static let stepsMax = 120
  /// After so many rounds without a fault everybody agrees.
  private static let healingRoundsMax = 8

  let trace = Trace()
  var random: SplitMix64
  let time = SimulatedTime()
  let network: SimulatedNetwork
  private(set) var clients: [SimulatedClient] = []
  private(set) var editCount = 0
  private(set) var counts: [String: Int] = [:]

  static let users = (0..<3).map { Seed.User(id: "u\($0)", name: "User \($0)") }
  private static let seed = Seed(
    users: users, projects: [Seed.Project(id: "p0", name: "Given 0"), Seed.Project(id: "p1", name: "Given 1")],
    tasks: [])

  init(seed: UInt64, folder: String) throws {
    random = SplitMix64(seed: seed)
    let time = time
    let backend = try Backend(seed: Self.seed) { time.shown(ahead: 0) }
    network = SimulatedNetwork(backend, trace: trace, seed: random.next())
    interpose_watch(folder)
    for number in 0..<2 + random.below(2) {
      let clockLead = random.chance(50) ? 0 : random.below(600_000) - 300_000
      clients.append(
        try SimulatedClient(
          "c\(number)", root: folder, time: time, network: network, clockLead: clockLead,
          judgement: .random(&random)))
      trace.note("c\(number): \(clients[number].judgement)")
    }
  }

  /// Ends the use of the clients' stores.
  func close() {
    for client in clients { client.engine.container.modelContainer.close() }
    interpose_clear_fault()
    interpose_watch(nil)
  }

  func count(_ name: String) { counts[name, default: 0] += 1 }

  /// Runs it to its end.
  /// - Throws: `Finding` for what must not be.
  func run() async throws {
    for client in clients { try await client.engine.syncEverything() }
    for _ in 0..<Self.stepsMax {
      if random.chance(10) { network.weather = .random(&random) }
      time.advance(milliseconds: 1 + random.below(3000))
      try await step()
      for client in clients { try check(client) }
    }
    try await heal()
  }

  /// A name that no other edit gives.
  func nextTitle(of client: SimulatedClient) -> String {
    editCount += 1
    let title = "\(client.name)-\(editCount)"
    // Too long for the server.
    return random.chance(6) ? title + String(repeating: "x", count: 80) : title
  }

  private func check(_ client: SimulatedClient) throws {
    do {
      try client.ledger.check(titles: client.titles())
    } catch let finding as Finding {
      throw Finding("\(client.name): \(finding)")
    }
  }

  // MARK: - Healing

  private func heal() async throws {
    trace.note("the network heals")
    network.weather = .fair
    try network.deliverAllDelayed()
    for round in 0..<Self.healingRoundsMax {
      for client in clients {
        client.engine.isOffline = false
        try await client.push()
        try await settleFailures(of: client, isLast: round > 2)
        try await client.push()
        try await client.engine.syncEverything()
        try check(client)
      }
      if try areEqual() { break }
    }
    for client in clients {
      try await checkAtRest(client)
      try client.checkStore()
      try client.restart()
      try await checkAtRest(client)
    }
    let live = Set(network.rows().map { $0.split(separator: " ").prefix(2).joined(separator: " ") })
    for client in clients {
      try client.ledger.check(
        isKnown: { network.known.contains($0) },
        isLive: { live.contains("\($0.type.dropLast()) \($0.id)") })
    }
  }

  /// Corrects or gives up what was rejected.
  private func settleFailures(of client: SimulatedClient, isLast: Bool) async throws {
    for failure in try client.engine.failedChanges() {
      if !isLast, random.chance(50), let id = failure.id.id(of: DemoClient.Task.self), failure.kind != .delete {
        editCount += 1
        let title = "\(client.name)-\(editCount)"
        trace.note("\(client.name) corrects \(failure.id) to \(title)")
        try client.engine.updateTask(id) { $0.title = title }
        client.ledger.saved(RowName(type: "tasks", id: id), title)
      } else {
        try await giveUp(failure, of: client)
      }
    }
  }

  func giveUp(_ failure: SyncParkedChange, of client: SimulatedClient) async throws {
    trace.note("\(client.name) gives up \(failure.id) (\(failure.kind)): \(failure.reason.prefix(60))")
    do {
      try await client.engine.discardFailedChange(failure)
    } catch SyncPushError.dirtyRowsBelow {
      // Tasks of the project come first.
      return
    }
    client.ledger.gaveUp(RowName(type: failure.id.model == "Task" ? "tasks" : "projects", id: failure.id.description))
  }

  private func areEqual() throws -> Bool {
    let server = network.rows()
    return try clients.allSatisfy { client in
      try client.isAtRest() && Replica.lines(of: client.engine.container) == server
    }
  }

  private func checkAtRest(_ client: SimulatedClient) async throws {
    let (mine, server) = (try Replica.lines(of: client.engine.container), network.rows())
    if mine != server {
      throw Finding("\(client.name) and the server do not agree: \(Replica.difference(mine, server))")
    }
    let pending = try client.pendingChanges()
    if !pending.isEmpty { throw Finding("\(client.name) still has pending changes: \(pending)") }
    let failures = try client.engine.failedChanges()
    if !failures.isEmpty { throw Finding("\(client.name) still has \(failures.count) rejected changes") }
    let requestCount = client.requestCount
    try await client.push()
    if client.requestCount > requestCount { throw Finding("\(client.name) sends something again") }
  }
}
