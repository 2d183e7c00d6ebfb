extension StoreVerification {
  func writeText(to output: StandardOutput) throws {
    for line in figures + [""] { try output.writeLine(line) }
    for note in notes { try output.writeLine("Note: \(note)") }
    for problem in problems { try output.writeLine("Problem: \(problem)", .bad) }
    if pages.problemsBeyond > 0 { try output.writeLine("Problem: \(pages.problemsBeyond) more.", .bad) }
    if problemCount == 0 { try output.writeLine("The store is sound.", .good) }
  }

  private var figures: [String] {
    var table = TextTable()
    table.add(["Store", path])
    let counts = pages.pages
    table.add([
      "Pages",
      "\(counts.inTrees) of trees, \(counts.overflow) of large values, \(counts.free) free "
        + "(\(counts.pinned) of them kept until the next checkpoint)",
    ])
    table.add(["Entries", "\(pages.entries.values.reduce(0, +)) in \(pages.entries.count) tables"])
    table.add(["Log", "\(pages.commitsInLog) commits since the last checkpoint, \(ByteCount.text(pages.logBytes))"])
    if let rowCount { table.add(["Rows", "\(rowCount)"]) }
    return table.lines
  }
}
