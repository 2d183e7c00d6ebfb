import CInterpose
import DemoClient
import DemoWire
import SwiftSync
import TestSupport

/// A client of a simulation: a store in a folder, and the demo's engine on it, which can be closed, opened again, and killed.
@MainActor final class SimulatedClient {
  let name: String
  private let root: String
  private let time: SimulatedTime
  private let network: SimulatedNetwork
  /// How far ahead its clock is, in milliseconds.
  private let clockLead: Int
  let judgement: Judgement
  private var generation = 0
  private(set) var engine: DemoSyncEngine
  var ledger: PushLedger
  /// Identities that it may give to new tasks once more.
  var deletedTasks: [String] = []
  /// Changes that were answered since the push began that is running.
  private var answered: [UploadedChange] = []
  /// How many uploads it has sent.
  private(set) var requestCount = 0
  /// Is called when a request is under way.
  var whileSending: (@MainActor (Request) async throws -> Void)?

  init(
    _ name: String, root: String, time: SimulatedTime, network: SimulatedNetwork, clockLead: Int, judgement: Judgement
  ) throws {
    self.name = name
    self.root = root
    self.time = time
    self.network = network
    self.clockLead = clockLead
    self.judgement = judgement
    ledger = PushLedger(keepsEdits: judgement.keepsEdits)
    let way = SimulatedWay()
    engine = DemoSyncEngine(
      container: try DemoSyncEngine.openContainer(
        at: URL(fileURLWithPath: "\(root)/\(name)-0"), conflicts: judgement.policy),
      transport: way
    ) { time.shown(ahead: clockLead) }
    way.client = self
  }

  var folder: String { "\(root)/\(name)-\(generation)" }

  /// Closes the store and opens it again.
  func restart() throws {
    engine.container.modelContainer.close()
    try open()
  }

  private func open() throws {
    let way = SimulatedWay()
    let (time, clockLead) = (time, clockLead)
    engine = DemoSyncEngine(
      container: try DemoSyncEngine.openContainer(at: URL(fileURLWithPath: folder), conflicts: judgement.policy),
      transport: way
    ) { time.shown(ahead: clockLead) }
    way.client = self
    isDoomed = false
    isDead = false
    answered = []
  }

  // MARK: - Death

  /// Whether a moment has been set for it to die.
  private var isDoomed = false
  private var isDead = false

  /// Lets the client die at its n-th write from now: nothing that it does later reaches its files or the network.
  func dieSoon(afterWrites count: Int) {
    isDoomed = true
    let kinds = interpose_write | interpose_resize | interpose_name | interpose_sync
    interpose_set_fault(UInt32(kinds), "\(name)-\(generation)/", UInt64(count), true, Int32(interpose_fail), EIO)
  }

  /// Whether the moment has come.
  func noteDeath() -> Bool {
    isDead = isDead || isDoomed && interpose_faults_injected() > 0
    return isDead
  }

  /// Starts again from what is in the files of the dead one.
  func resurrect() throws {
    isDead = true
    engine.container.modelContainer.close()
    let left = folder
    generation += 1
    interpose_clear_fault()
    try Folder.copy(left, to: folder)
    Folder.removeFile("\(folder)/lock.mdb")
    Folder.remove(left)
    try open()
  }

  // MARK: - Network

  /// Takes a request of the engine's on its way.
  fileprivate func send(_ request: Request) async throws -> Response {
    if noteDeath() { throw TransportError.unreachable(reason: "the client is dead") }
    try await whileSending?(request)
    if noteDeath() { throw TransportError.unreachable(reason: "the client is dead") }
    if request.path == "/sync/upload" {
      requestCount += 1
      // What the passes before were answered is settled by now.
      settle()
      for change in UploadedChange.all(in: request) { try ledger.sent(change) }
    }
    let response = try network.deliver(request) { [weak self] request, response in
      for change in UploadedChange.all(in: request, response) { self?.ledger.arrived(change) }
    }
    guard let response else { throw TransportError.unreachable(reason: "nothing comes back") }
    answered += UploadedChange.all(in: request, response)
    return response
  }

  /// Pushes, and notes what is settled then.
  func push() async throws {
    answered = []
    try await engine.pushPendingChanges()
    if !noteDeath() { settle() }
  }

  private func settle() {
    ledger.settled(answered)
    answered = []
  }
}

/// The transport of one opening of a client's store.
@MainActor private final class SimulatedWay: Transport {
  weak var client: SimulatedClient?

  func send(_ request: Request) async throws -> Response {
    guard let client else { throw TransportError.unreachable(reason: "the client is gone") }
    return try await client.send(request)
  }
}
