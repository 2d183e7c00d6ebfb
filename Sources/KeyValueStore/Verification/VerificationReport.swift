/// What a verification has found: see `Environment.verify(at:)`.
public struct VerificationReport: Sendable, Equatable {
  /// What is wrong, in the order in which it was found; not more than a thousand problems.
  public internal(set) var problems: [StoreProblem] = []
  /// How many more there are.
  public internal(set) var problemsBeyond = 0
  /// What is not wrong, but worth knowing.
  public internal(set) var notes: [VerificationNote] = []
  /// How the pages of the data file are used.
  public internal(set) var pages = PageCounts()
  /// How many bytes a page has.
  public internal(set) var pageBytes = 0
  /// How many entries were found in each table.
  public internal(set) var entries: [String: Int] = [:]
  /// How many commits the log has behind the newest checkpoint.
  public internal(set) var commitsInLog = 0
  /// How many bytes they take.
  public internal(set) var logBytes = 0

  /// Whether nothing is wrong.
  public var isSound: Bool { problems.isEmpty }

  mutating func append(_ problem: StoreProblem) {
    if problems.count < ProblemList.kept { problems.append(problem) } else { problemsBeyond += 1 }
  }

  mutating func add(_ report: PageReport, pageBytes: Int) {
    for problem in report.problems.problems { append(problem) }
    problemsBeyond += report.problems.countBeyond
    pages = report.pages
    self.pageBytes = pageBytes
    entries = report.entries.mapValues { Int(clamping: $0) }
  }

  mutating func add(_ log: LogReport) {
    for problem in log.problems.problems { append(problem) }
    problemsBeyond += log.problems.countBeyond
    notes += log.notes
    commitsInLog = log.frames
    logBytes = log.byteCount
  }
}

/// Something about a store that is as it may be, but worth knowing.
public enum VerificationNote: Sendable, Hashable {
  /// Somebody has the store open; what was checked is one snapshot, and the log behind the newest checkpoint.
  case inUse
  /// It was not closed. The next opening applies this many commits from its log.
  case needsRecovery(commits: Int)
  /// A large transaction was interrupted before it was acknowledged. The next opening drops it.
  case interruptedTransaction
  /// The first two pages of the data were being written when an opening was interrupted. The next one writes them anew.
  case firstPagesUnfinished
  /// A checkpoint's record is missing between others, as after a sync that has failed. Nothing needs it any more.
  case recordMissing(generation: UInt64)
  /// The log was written so fast that it was overwritten while it was read.
  case logNotCompared
  /// A writer has found that the medium fails.
  case failedSync
  /// There are files that are not the store's.
  case otherFiles(count: Int)
}

extension VerificationNote: CustomStringConvertible {
  /// One sentence.
  public var description: String {
    switch self {
    case .inUse: "The store is open; one snapshot of it was checked."
    case .needsRecovery(let commits):
      "The store was not closed: the next opening will apply \(commits) commit\(commits == 1 ? "" : "s") from its log."
    case .interruptedTransaction: "A large transaction was interrupted and was not acknowledged; it will be dropped."
    case .firstPagesUnfinished:
      "The first pages of the data were not written completely; the next opening will write them anew."
    case .recordMissing(let generation):
      "The checkpoint record \(generation) is missing, as after a sync that failed; nothing needs it any more."
    case .logNotCompared: "The log was not checked, because it was overwritten faster than it could be read."
    case .failedSync: "The process that wrote last has left a mark that the medium failed."
    case .otherFiles(let count): "There are \(count) files that are not the store's."
    }
  }
}

/// How far a verification has come.
public struct VerificationProgress: Sendable, Hashable {
  /// How many pages of trees were read.
  public var pagesRead: UInt64
  /// How many pages there are; not all of them are read.
  public var pagesTotal: UInt64
}
