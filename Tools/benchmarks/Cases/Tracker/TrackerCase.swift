import Foundation

/// One operation on the tracker's rows, done by every peer in turns.
struct TrackerCase: BenchmarkCase {
  let operation: PeerOperation

  static let all = PeerOperation.allCases.map(TrackerCase.init)
  /// Turns are long and rarely disturbed, so fewer of them do than where a turn is a part of a second.
  static let rounds = 11

  var name: String { operation.rawValue }
  var summary: String { operation.summary }

  func obstacle(_ settings: Settings) -> String? {
    peers(settings).isEmpty ? "its peers are \(Peer.allCases.map(\.rawValue).joined(separator: ", "))." : nil
  }

  func run(_ settings: Settings) async throws -> CaseReport {
    let peers = peers(settings)
    var result = TrackerResult(peers)
    for round in 0..<(settings.repetitions ?? settings.roundsAsked ?? Self.rounds) {
      for position in peers.indices {
        let peer = peers[(position + round) % peers.count]
        result.turns[peer, default: []].append(try await turn(of: peer, settings))
      }
    }
    return CaseReport(self, result)
  }

  private func peers(_ settings: Settings) -> [Peer] {
    Peer.allCases.filter { settings.peers.isEmpty || settings.peers.contains($0.rawValue) }
  }

  /// A turn on a store that is as the operation expects it: in a process of its own, or in this one for a profiler.
  private func turn(of peer: Peer, _ settings: Settings) async throws -> PeerTurn {
    let workload = try settings.stage.workload(settings)
    let folder = try settings.workFolder(for: name)
    var store = folder["store"]
    if operation.start != .empty {
      let filled = try settings.stage.store(of: peer, isIndexed: operation.isIndexed, settings)
      if operation.start == .filled {
        store = filled
      } else {
        try FileManager.default.copyItem(atPath: filled, toPath: store)
        try PageCache.sync(filesIn: store)
      }
    }
    var turn: PeerTurn
    if settings.repetitions == nil {
      let answer = try PeerChild.takeTurn.run(operation.rawValue, peer.rawValue, workload.path, store)
      turn = try JSONDecoder().decode(PeerTurn.self, from: answer)
    } else {
      turn = try await PeerRun(operation: operation, peer: peer, workload: workload, store: store).run()
    }
    turn.storeBytes = try WorkFolder.byteCount(of: store)
    return turn
  }
}
