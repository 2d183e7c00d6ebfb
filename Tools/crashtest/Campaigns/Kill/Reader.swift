import Glibc

/// A reading process.
struct Reader {
  private static let patienceMilliseconds: Int32 = 30_000

  private let process: ChildProcess
  private let messages: String

  init(at path: String, _ scratch: Scratch, _ number: Int) throws {
    messages = scratch.path("reader-messages-\(number)")
    process = try ChildProcess(ChildRole.reader(path: path).words, messages: messages)
  }

  /// Waits until it has opened the store.
  func waitUntilOpen() throws {
    var lines = LineReader(process.output)
    guard lines.next(waiting: Self.patienceMilliseconds).map(String.init) == ReadingChild.openLine else {
      process.kill()
      throw Finding("a reading process could not open the store: \(try ChildProcess.words(in: messages))")
    }
  }

  /// Ends it whatever it does.
  func abandon() {
    process.kill()
    if !process.hasEnded { _ = process.wait() }
  }

  /// Ends it, and says how many snapshots it has read; throws what it has found.
  func stop() throws -> Int {
    process.closeInput()
    var lines = LineReader(process.output)
    var count = 0
    while let line = lines.next(waiting: Self.patienceMilliseconds) {
      let words = line.split(separator: "\t")
      if words.first == "snapshots", words.count == 2 { count = Int(words[1]) ?? 0 }
    }
    if lines.hasTimedOut { process.kill() }
    let end = process.wait()
    if end == .exited(0) { return count }
    throw Finding("a reading process has ended with \(end): \(try ChildProcess.words(in: messages))")
  }
}
