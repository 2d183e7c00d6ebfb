// One line for each state that is allowed: lane, commit, hash.
extension Expectation {
  var text: String {
    lanes.sorted { $0.key < $1.key }.flatMap { number, lane in
      lane.states.map { "\(number) \($0.commit) \($0.hash)\n" }
    }.joined()
  }

  init(text: String) throws {
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 3, let lane = Int(words[0]), let commit = Int(words[1]), let hash = UInt64(words[2]) else {
        throw HarnessError("'\(line)' is not a lane, a commit and a hash")
      }
      lanes[lane, default: Lane(states: [])].states.append(State(commit: commit, hash: hash))
    }
  }
}
