import DemoServer
import DemoWire
import TestSupport

/// The network between the clients and the server of a simulation. It loses, doubles, delays and reorders.
@MainActor final class SimulatedNetwork {
  let backend: Backend
  var weather = Weather.fair
  /// Rows that the server has carried something out on for a client.
  private(set) var known: Set<RowName> = []
  /// Requests that are still under way.
  private var delayed: [(request: Request, seen: Witness)] = []
  /// Hears of a request that the server has answered.
  typealias Witness = @MainActor (Request, Response) throws -> Void

  private var random: SplitMix64
  private let trace: Trace

  init(_ backend: Backend, trace: Trace, seed: UInt64) {
    self.backend = backend
    self.trace = trace
    random = SplitMix64(seed: seed)
  }

  /// Brings a request to the server, or doesn't; the response, if it comes back.
  func deliver(_ request: Request, _ seen: @escaping Witness) throws -> Response? {
    let fate = request.path == "/sync/upload" || request.method == .get ? weather.fate(&random) : .delivered
    if fate != .delivered { trace.note("  \(request.path): \(fate)") }
    switch fate {
    case .lostRequest:
      return nil
    case .delayed:
      if request.method != .get { delayed.append((request, seen)) }
      return nil
    case .delivered, .lostResponse, .doubled:
      let response = try answer(request, seen)
      if fate == .doubled { try deliverAgain(request) }
      return fate == .lostResponse ? nil : response
    }
  }

  private func answer(_ request: Request, _ seen: Witness) throws -> Response {
    let response = backend.handle(request)
    for change in UploadedChange.all(in: request, response) {
      trace.note("  \(change.row) \(change.isDeletion ? "deleted" : change.title ?? "patched"): \(change.status)")
      if change.status == "applied" { known.insert(change.row) }
    }
    try seen(request, response)
    return response
  }

  /// Lets one of the requests arrive that are under way, if there is one.
  func deliverDelayed() throws {
    guard let place = delayed.indices.randomElement(using: &random) else { return }
    let (request, seen) = delayed.remove(at: place)
    trace.note("a request arrives late")
    _ = try answer(request, seen)
    if random.chance(30) { try deliverAgain(request) }
  }

  func deliverAllDelayed() throws {
    while !delayed.isEmpty { try deliverDelayed() }
  }

  /// Nothing that was carried out is carried out again.
  private func deliverAgain(_ request: Request) throws {
    let before = rows()
    let answers = UploadedChange.all(in: request, backend.handle(request))
    if answers.allSatisfy({ $0.status != "rejected" }), rows() != before {
      throw Finding("a request that came twice was carried out twice")
    }
  }

  /// The server's rows, as lines.
  func rows() -> [String] { Replica.lines(of: backend) }
}
