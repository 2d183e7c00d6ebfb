/// Shows that each broken variant is caught.
struct VariantSurvey {
  private let line: CommandLineWords

  init(_ line: CommandLineWords) {
    self.line = line
  }

  /// Runs every variant until something fails, or the count is reached; the exit code.
  func run() throws -> Int32 {
    let variants = line.options.variant.map { [$0] } ?? Variant.available
    var caught = 0
    for variant in variants {
      var pool = line.pool(of: variant, isQuiet: true)
      pool.failuresMax = 1
      let tally = try pool.run()
      caught += min(1, tally.failed)
      let outcome = tally.failed > 0 ? "caught" : "NOT CAUGHT"
      Output.line("\(variant.rawValue): \(outcome) after \(tally.passed + tally.failed) images")
    }
    let missed = variants.count - caught
    Output.line("\(caught) passed, \(missed) failed")
    return missed == 0 ? 0 : 1
  }
}
