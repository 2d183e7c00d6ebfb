/// What a case has found.
struct CaseReport: Codable {
  var name: String
  var summary: String
  var tables: [ReportTable] = []
  var targets: [Target] = []
  /// What else is to be said, such as the plans of queries.
  var notes: [String] = []
  /// The rates of each contender, round by round: what the rest was calculated from.
  var rounds: [String: [Double]] = [:]
  /// Where every peer does the same once a round: how long each took, round by round.
  var milliseconds: [String: [Double]] = [:]

  init(_ benchmark: any BenchmarkCase) {
    name = benchmark.name
    summary = benchmark.summary
  }

  /// The report of a race: rates and writes of every contender, and the ratios that the case is about.
  init(_ benchmark: any BenchmarkCase, _ result: RaceResult, ratios: [Ratio]) {
    self.init(benchmark)
    var rates = ReportTable(
      "rates", columns: ["per second", "10 %", "90 %", "all rounds", "writes each", "bytes each", "syncs each"])
    for (name, turns) in zip(result.names, result.turns) {
      let spread = Spread(turns.map(\.rate))
      let operations = Double(turns.reduce(0) { $0 + $1.operations })
      let seconds = turns.reduce(Duration.zero) { $0 + $1.elapsed } / .seconds(1)
      let written = turns.reduce(WriteCounters()) { $0 + $1.written }
      let syncs = turns.reduce(Int?(0)) { total, turn in total.flatMap { total in turn.syncs.map { total + $0 } } }
      rates.add(
        name,
        [
          spread.median, spread.low, spread.high, operations / seconds, Double(written.calls) / operations,
          Double(written.bytes) / operations, syncs.map { Double($0) / operations },
        ])
      rounds[name] = turns.map(\.rate)
    }
    tables.append(rates)
    var times = ReportTable("time of one operation", columns: Latencies.columns)
    for (name, latencies) in zip(result.names, result.latencies) {
      if let latencies { times.add(name, latencies.values) }
    }
    if !times.rows.isEmpty { tables.append(times) }
    if ratios.isEmpty { return }
    var table = ReportTable("ratios within rounds", columns: ["median", "10 %", "90 %"])
    for ratio in ratios where result.names.contains(ratio.name) && result.names.contains(ratio.rival) {
      let spread = Spread(result.ratios(of: ratio.name, to: ratio.rival))
      table.add(ratio.title, [spread.median, spread.low, spread.high])
      if let target = ratio.target { targets.append(Target(ratio.title, spread.median, atLeast: target)) }
    }
    if !table.rows.isEmpty { tables.append(table) }
  }
}

/// One contender's rate against another's.
struct Ratio {
  let name: String
  let rival: String
  /// What it should be at least, where there is such a number.
  let target: Double?

  init(_ name: String, to rival: String, target: Double? = nil) {
    self.name = name
    self.rival = rival
    self.target = target
  }

  var title: String { "\(name) / \(rival)" }
}
