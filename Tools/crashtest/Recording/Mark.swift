import CInterpose
import Synchronization

/// What the workload itself notes in a recording, so that it is known at each point what a crash may leave.
struct Mark {
  enum Kind: UInt16 {
    /// A commit is about to be made, and leaves a lane with this hash.
    case started = 1
    /// A commit is about to be made, whose hash comes later.
    case begun
    /// A commit is visible, and survives the death of the process.
    case acknowledged
    /// A commit survives a power cut, and with it every earlier one of the lane.
    case durable
    /// A commit was refused with certainty.
    case failed
    /// The hash of a commit that was not known before.
    case hashed
    /// A recovery has left the lane at this commit, which is certain from now on.
    case recovered
    /// All lanes that a recovery has found are marked.
    case settled
    /// The store exists.
    case created
  }

  var kind: Kind
  var lane: Int
  var commit: Int
  var hash: UInt64

  init(_ kind: Kind, lane: Int = 0, commit: Int = 0, hash: UInt64 = 0) {
    self.kind = kind
    self.lane = lane
    self.commit = commit
    self.hash = hash
  }

  /// The mark in an event; nil if it is another event.
  init?(_ event: interpose_event) {
    guard event.is(interpose_event_mark), let kind = Kind(rawValue: event.flags) else { return nil }
    self.init(kind, lane: Int(event.handle), commit: Int(event.offset), hash: event.start)
  }

  /// Adds the mark to the recording, if there is one, and says it to the process that listens, if one does.
  func post() {
    interpose_mark(kind.rawValue, UInt32(lane), UInt64(commit), hash)
    if Mark.isSpoken.load(ordering: .relaxed) { Output.line(line) }
  }

  /// Whether marks are also lines on the standard output. A line is written in one piece, so the last one before the death
  /// of the process is there or not.
  static let isSpoken = Atomic(false)

  private var line: String { "mark\t\(kind.rawValue)\t\(lane)\t\(commit)\t\(hash)" }

  /// The mark that a line says.
  init?(line: Substring) {
    let words = line.split(separator: "\t")
    guard words.count == 5, words[0] == "mark", let kind = UInt16(words[1]).flatMap(Kind.init),
      let lane = Int(words[2]),
      let commit = Int(words[3]), let hash = UInt64(words[4])
    else { return nil }
    self.init(kind, lane: lane, commit: commit, hash: hash)
  }
}
