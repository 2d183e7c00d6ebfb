import TestSupport

/// A store of records that is changed row by row, or by whole syncs.
struct BoardWorkload {
  let isSync: Bool
  let commitCount: Int

  func run(at path: String, _ random: inout SplitMix64) throws {
    var board = try Board(at: path)
    defer { board.store.close() }
    for _ in 0..<commitCount {
      if isSync {
        try board.sync(BoardPayload.items(count: 20 + random.below(150), &random))
      } else {
        let change = BoardChange(seed: random.next())
        try board.write { transaction, _ in try change.apply(to: transaction) }
      }
      if random.chance(10) {
        board.store.close()
        board = try Board(at: path, afterCommit: board.commitCount)
      }
    }
    try Board.check(board.store)
  }
}
