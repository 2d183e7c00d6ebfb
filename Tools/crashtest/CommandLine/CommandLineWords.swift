import Glibc

/// The words that the tool was started with.
struct CommandLineWords: Sendable {
  enum CampaignName: String, CaseIterable, Sendable {
    case power
    case kill
    case faults
    case damage
    case soak
    case push

    func make(_ options: CampaignOptions) -> any Campaign {
      switch self {
      case .power: PowerCampaign(options: options)
      case .kill: KillCampaign(options: options)
      case .faults: FaultCampaign(options: options)
      case .damage: DamageCampaign(options: options)
      case .soak: SoakCampaign(options: options)
      case .push: PushCampaign(options: options)
      }
    }
  }

  let campaign: CampaignName
  private(set) var options = CampaignOptions()
  private(set) var replay: String?
  private(set) var testsVariants = false
  private var failuresFolder = "/tmp/crashtest-failures"
  /// The folder of a worker: the process was started by another one of this program.
  private(set) var workerScratch: String?

  init(_ words: [String]) throws(UsageError) {
    var rest = words[...]
    let name = rest.popFirst() ?? ""
    guard let campaign = CampaignName(rawValue: name) else { throw .unknownCampaign(name) }
    self.campaign = campaign
    if campaign == .faults { options.count = .max }
    while let option = rest.popFirst() { try take(option, &rest) }
    // There is one store.
    if campaign == .soak { options.jobs = 1 }
  }

  private mutating func take(_ option: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
    if option == "--variants" {
      testsVariants = true
      return
    }
    guard let word = rest.popFirst() else { throw .valueMissing(option) }
    switch option {
    case "--seed": options.seed = UInt64(try number(word, option))
    case "--count": options.count = try number(word, option)
    case "--jobs": options.jobs = max(1, try number(word, option))
    case "--case":
      options.firstCase = try number(word, option)
      options.count = 1
      options.jobs = 1
    case "--step": options.caseStep = max(1, try number(word, option))
    case "--first": options.firstCase = try number(word, option)
    case "--workload": options.workload = try choice(word, option)
    case "--variant": options.variant = try choice(word, option)
    case "--replay": replay = word
    case "--failures": failuresFolder = word
    case "--worker": workerScratch = word
    default: throw .unknownOption(option)
    }
  }

  private func number(_ word: String, _ option: String) throws(UsageError) -> Int {
    guard let number = Int(word), number >= 0 else { throw .noNumber(word, option: option) }
    return number
  }

  private func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ word: String, _ option: String
  ) throws(UsageError) -> Choice {
    guard let choice = Choice(rawValue: word) else {
      throw .unknownChoice(word, option: option, choices: Choice.allCases.map(\.rawValue))
    }
    return choice
  }

  // MARK: - Words for other processes and for the user

  /// The words that everything which repeats a part of this run begins with.
  private func words(_ options: CampaignOptions) -> [String] {
    var words = [campaign.rawValue, "--seed", "\(options.seed)"]
    if let workload = options.workload { words += ["--workload", workload.rawValue] }
    if let variant = options.variant { words += ["--variant", variant.rawValue] }
    return words
  }

  /// The workers that run this.
  func pool(of variant: Variant? = nil, isQuiet: Bool = false) -> WorkerPool {
    var options = options
    if let variant { options.variant = variant }
    let line = (["crashtest"] + words(options)).joined(separator: " ")
    let replayLine = campaign == .power ? "\(line) --replay" : nil
    return WorkerPool(
      arguments: { share, scratch in
        words(share) + [
          "--count", "\(share.count)", "--first", "\(share.firstCase)", "--step", "\(share.caseStep)",
          "--worker", scratch.folder,
        ]
      },
      options: options,
      failures: FailureFolder("\(failuresFolder)/\(campaign.rawValue)", replayLine: replayLine, isQuiet: isQuiet) {
        "\(line) --case \($0)"
      })
  }
}
