import Glibc

/// Workers that share the cases of a campaign.
///
/// A worker that dies or says nothing for a while has failed the test that it was at. Another one goes on behind that case.
struct WorkerPool {
  /// A test takes milliseconds, and the recording before it a second or so. On a machine with much else to do either may take a
  /// hundred times as long.
  private static let silenceMillisecondsMax: Int32 = 300_000

  /// How a worker is started, for a share of the options.
  let arguments: @Sendable (CampaignOptions, Scratch) -> [String]
  let options: CampaignOptions
  let failures: FailureFolder
  var failuresMax = Int.max

  /// Runs the campaign.
  func run() throws -> Tally {
    let root = Scratch.root()
    defer { Folder.remove(root) }
    let results = Results()
    try Threads.run(options.jobs) { job in
      var rest = options
      rest.firstCase = options.firstCase + job
      rest.caseStep = options.jobs
      rest.count = options.count / options.jobs + (job < options.count % options.jobs ? 1 : 0)
      let scratch = Scratch(folder: "\(root)/\(job)")
      while rest.count > 0, results.tally.failed < failuresMax {
        try Folder.empty(scratch.folder)
        let watch = try WorkerWatch(arguments(rest, scratch), scratch: scratch, failures: failures, results: results)
        let ended = watch.follow(silenceMillisecondsMax: Self.silenceMillisecondsMax, failuresMax: failuresMax)
        rest.count = ended ? 0 : rest.count - watch.testCount
        rest.firstCase = watch.lastCase + rest.caseStep
      }
    }
    return results.tally
  }
}
