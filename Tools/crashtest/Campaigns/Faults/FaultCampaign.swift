import TestSupport

/// Runs a script again and again, each time with another fault. Errors must be the store's own, and when the fault is gone,
/// the store must be what it has promised.
final class FaultCampaign: Campaign {
  /// What the names of the numbers that are reported begin with; the parent process makes a summary of them.
  static let knownSites = "site known "
  static let hitSites = "site hit "

  private let options: CampaignOptions
  private var prepared: (catalog: FaultCatalog, crashed: StoreState)?

  init(options: CampaignOptions) {
    self.options = options
  }

  func run(case number: Int, _ report: WorkerReport, scratch: Scratch) throws -> Bool {
    let script = FaultScript(folder: scratch.path("stores"))
    let (catalog, crashed) = try prepare(script, report, scratch)
    guard number < catalog.faults.count else { return false }
    let (fault, site) = catalog.faults[number]
    try script.prepare(crashedStore: scratch.path("crashed"))
    do {
      let recording = try Recording.record(in: script.folder) {
        crashed.markRecovered()
        defer { Fault.disarm() }
        fault.arm()
        try script.run()
      }
      var ledger = Ledger(recording)
      for mark in recording.events.compactMap(Mark.init) { ledger.apply(mark) }
      var random = SplitMix64(seed: options.seed(ofCase: number))
      try script.check(ledger, &random)
      report.passed()
      if let site { report.counted("\(Self.hitSites)\(site)", 1) }
    } catch let finding as Finding {
      report.failed("case \(number), \(fault.description): \(finding)", keeping: nil)
    }
    return true
  }

  private func prepare(
    _ script: FaultScript, _ report: WorkerReport, _ scratch: Scratch
  ) throws -> (catalog: FaultCatalog, crashed: StoreState) {
    if let prepared { return prepared }
    let crashedStore = scratch.path("crashed")
    let crashed = try FaultScript.makeCrashedStore(at: crashedStore, scratch: scratch.path("live"))
    try script.prepare(crashedStore: crashedStore)
    let catalog = try FaultCatalog {
      _ = try Recording.record(in: script.folder) { try script.run() }
    }
    for site in catalog.sites { report.counted("\(Self.knownSites)\(site)", 1) }
    let prepared = (catalog, crashed)
    self.prepared = prepared
    return prepared
  }
}
