/// What a worker says to the process that started it, line by line on its standard output.
struct WorkerReport: Sendable {
  enum Line: Equatable {
    case began(case: Int)
    case passed
    case failed(String, keeping: String?)
    /// A number for the summary, which is added up.
    case counted(String, Int)
    /// Something to read with the failure that comes next.
    case noted(String)
    case ended

    init?(_ text: Substring) {
      let words = text.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      switch (words.first, words.count) {
      case ("case", 2): self = .began(case: Int(words[1]) ?? 0)
      case ("passed", 1): self = .passed
      case ("failed", 3): self = .failed(words[2], keeping: words[1].isEmpty ? nil : words[1])
      case ("count", 3): self = .counted(words[1], Int(words[2]) ?? 0)
      case ("note", 2): self = .noted(words[1])
      case ("ended", 1): self = .ended
      default: return nil
      }
    }
  }

  /// How many tests were reported.
  let counter: Counter

  func began(case number: Int) { say("case\t\(number)") }

  func passed() {
    counter.add()
    say("passed")
  }

  /// A test has failed. What is in the folder is kept.
  func failed(_ text: String, keeping folder: String?) {
    counter.add()
    say("failed\t\(folder ?? "")\t\(Self.oneLine(text))")
  }

  func noted(_ text: String) { say("note\t\(Self.oneLine(text))") }

  func counted(_ name: String, _ count: Int) { say("count\t\(name)\t\(count)") }

  func ended() { say("ended") }

  private static func oneLine(_ text: String) -> String {
    text.map { $0.isNewline || $0 == "\t" ? " " : String($0) }.joined()
  }

  private func say(_ line: String) { Output.line(line) }
}
