import FoundationEssentials
import Synchronization

/// Where failures are kept, and how they are reported: what failed, and the line that repeats it.
final class FailureFolder: Sendable {
  private let path: String
  /// The line that runs one case again.
  private let caseLine: @Sendable (Int) -> String
  /// The beginning of the line that looks again at what was kept; nil if a campaign keeps nothing.
  private let replayLine: String?
  private let isQuiet: Bool
  private let count = Mutex(0)

  init(_ path: String, replayLine: String?, isQuiet: Bool = false, caseLine: @escaping @Sendable (Int) -> String) {
    self.path = path
    self.caseLine = caseLine
    self.replayLine = replayLine
    self.isQuiet = isQuiet
  }

  /// Reports a failure and moves its evidence here.
  func keep(_ text: String, case number: Int, _ evidence: String?, messages: String?) {
    count.withLock { count in
      count += 1
      if isQuiet { return }
      Output.line("failed: \(text)")
      if let messages, let bytes = try? Folder.bytes(of: messages), !bytes.isEmpty {
        Output.line(String(decoding: bytes.suffix(2000), as: UTF8.self))
      }
      if let evidence, let replayLine, let kept = try? move(evidence, count) {
        Output.line("  again: \(replayLine) \(kept)")
      } else {
        Output.line("  again: \(caseLine(number))")
      }
    }
  }

  /// Writes what belongs to the failure that comes next.
  func note(_ text: String) {
    if !isQuiet { Output.line("  \(text)") }
  }

  private func move(_ evidence: String, _ number: Int) throws -> String {
    var free = number
    while FileManager.default.fileExists(atPath: "\(path)/\(free)") { free += 1 }
    let kept = "\(path)/\(free)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: evidence, toPath: kept)
    Folder.remove(evidence)
    return kept
  }
}
