/// The turns of all peers.
struct TrackerResult {
  let peers: [Peer]
  /// By round.
  var turns: [Peer: [PeerTurn]] = [:]

  init(_ peers: [Peer]) {
    self.peers = peers
  }

  /// One value of every turn of a peer.
  func values(of peer: Peer, _ value: (PeerTurn) -> Double) -> [Double] {
    (turns[peer] ?? []).map(value)
  }

  func median(of peer: Peer, _ value: (PeerTurn) -> Double) -> Double {
    Spread(values(of: peer, value)).median
  }

  /// How many times a rival's value a peer has, in each round.
  func ratios(of peer: Peer, to rival: Peer, _ value: (PeerTurn) -> Double) -> [Double] {
    zip(values(of: peer, value), values(of: rival, value)).map { $0 / $1 }
  }
}

extension CaseReport {
  /// Times, costs and ratios of times within rounds.
  init(_ benchmark: any BenchmarkCase, _ result: TrackerResult) {
    self.init(benchmark)
    tables = [Self.times(result), Self.costs(result), Self.ratios(result)].filter { !$0.rows.isEmpty }
    tables += result.peers.compactMap { Self.phases(of: $0, result) }
    for peer in result.peers { milliseconds[peer.rawValue] = result.values(of: peer, \.milliseconds) }
  }

  private static func times(_ result: TrackerResult) -> ReportTable {
    var table = ReportTable(
      "times", columns: ["ms", "25 %", "75 %", "processor ms", "rows", "µs each"])
    for peer in result.peers {
      let spread = Spread(result.values(of: peer, \.milliseconds), tail: 0.25)
      table.add(
        peer.rawValue,
        [
          spread.median, spread.low, spread.high, result.median(of: peer, \.processorMilliseconds),
          result.median(of: peer) { Double($0.rows) },
          result.median(of: peer) { $0.milliseconds * 1000 / Double(max(1, $0.rows)) },
        ])
    }
    return table
  }

  private static func costs(_ result: TrackerResult) -> ReportTable {
    var table = ReportTable(
      "costs", columns: ["peak MB", "store MB", "KB written", "syncs", "allocations each"])
    for peer in result.peers {
      table.add(
        peer.rawValue,
        [
          result.median(of: peer) { Double($0.peakBytes) / 1_048_576 },
          result.median(of: peer) { Double($0.storeBytes) / 1_048_576 },
          result.median(of: peer) { Double($0.writtenBytes) / 1024 }, result.median(of: peer) { Double($0.syncs) },
          result.median(of: peer) { Double($0.allocations) / Double(max(1, $0.rows)) },
        ])
    }
    return table
  }

  private static func ratios(_ result: TrackerResult) -> ReportTable {
    var table = ReportTable(
      "times within rounds", columns: ["median", "25 %", "75 %", "of processor time"])
    for (peer, rival) in [(Peer.ours, Peer.sqlite), (.ours, .lmdb), (.sqlite, .lmdb)] {
      guard result.peers.contains(peer), result.peers.contains(rival) else { continue }
      let spread = Spread(result.ratios(of: peer, to: rival, \.milliseconds), tail: 0.25)
      let processor = Spread(result.ratios(of: peer, to: rival, \.processorMilliseconds))
      table.add("\(peer.rawValue) / \(rival.rawValue)", [spread.median, spread.low, spread.high, processor.median])
    }
    return table
  }

  /// The median of each part of a peer's time; nil if the peer says nothing of it.
  private static func phases(of peer: Peer, _ result: TrackerResult) -> ReportTable? {
    guard let turns = result.turns[peer], let names = turns.first?.phases.map(\.name), !names.isEmpty else {
      return nil
    }
    var table = ReportTable("parts", columns: names.map { "\($0) ms" })
    table.add(
      peer.rawValue,
      names.indices.map { index in Spread(turns.map { $0.phases[index].milliseconds }).median })
    return table
  }
}
