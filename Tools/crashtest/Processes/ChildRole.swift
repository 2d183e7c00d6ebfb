import CInterpose
import Glibc
import StoreTool

/// What a process does that a campaign starts and judges.
enum ChildRole {
  case writer(path: String, seed: UInt64, KillPoint?)
  case recordedWriter(path: String, seed: UInt64, KillPoint)
  case reader(path: String)
  case damageReader(path: String, truth: String, isWriting: Bool)
  /// The command-line tool with the words of a line. It starts itself once more, and so this program with the same role.
  case tool([String])

  /// The role that the words of a command line say; nil if they say something else.
  init?(_ words: [String]) {
    switch (words.first, words.count) {
    case ("writer", 3): self = .writer(path: words[1], seed: UInt64(words[2]) ?? 0, nil)
    case ("writer", 4): self = .writer(path: words[1], seed: UInt64(words[2]) ?? 0, KillPoint(word: words[3]))
    case ("recorded-writer", 4):
      guard let point = KillPoint(word: words[3]) else { return nil }
      self = .recordedWriter(path: words[1], seed: UInt64(words[2]) ?? 0, point)
    case ("reader", 2): self = .reader(path: words[1])
    case ("damage-reader", 4): self = .damageReader(path: words[1], truth: words[2], isWriting: words[3] == "writing")
    case ("tool", _): self = .tool(Array(words.dropFirst()))
    default: return nil
    }
  }

  var words: [String] {
    switch self {
    case .writer(let path, let seed, let point): ["writer", path, "\(seed)"] + (point.map { [$0.word] } ?? [])
    case .recordedWriter(let path, let seed, let point): ["recorded-writer", path, "\(seed)", point.word]
    case .reader(let path): ["reader", path]
    case .damageReader(let path, let truth, let isWriting):
      ["damage-reader", path, truth, isWriting ? "writing" : "reading"]
    case .tool(let words): ["tool"] + words
    }
  }

  func run() throws {
    switch self {
    case .writer(let path, let seed, let point):
      interpose_watch(path)
      point?.arm()
      Mark.isSpoken.store(true, ordering: .relaxed)
      try WritingChild(path: path, seed: seed).run()
    case .recordedWriter(let path, let seed, let point):
      try RecordedWriter(path: path, seed: seed, point: point).run()
    case .reader(let path):
      try ReadingChild(path: path).run()
    case .damageReader(let path, let truth, let isWriting):
      let text = try String(decoding: Folder.bytes(of: truth), as: UTF8.self)
      var reader = try DamageReader(path: path, truth: BoardTruth(text: text), isWriting: isWriting)
      reader.run()
      Output.line(reader.outcome.line)
    case .tool(let words):
      Tool.main(words)
    }
  }
}
