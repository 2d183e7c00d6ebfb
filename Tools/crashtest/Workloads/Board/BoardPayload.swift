import TestSupport

/// JSON for a board, as a server would send it.
enum BoardPayload {
  /// All items, of which some are new, some are gone and some have changed since the last payload.
  static func items(count: Int, _ random: inout SplitMix64) -> [UInt8] {
    let items = (0..<count).compactMap { number -> String? in
      if random.chance(15) { return nil }
      let weight = random.chance(20) ? "null" : "\(random.below(50))"
      let tags = (0..<random.below(4)).map { _ in #"{"id": \#(random.below(12))}"# }
      let title = String(repeating: "item \(number) ", count: 1 + random.below(6))
      let note = BoardNote.draw(&random, largePercent: 4).map { #""\#($0)""# } ?? "null"
      return #"""
        {"id": \#(number), "title": "\#(title)", "weight": \#(weight), "note": \#(note),
         "folder": {"id": \#(random.below(6))}, "tags": [\#(tags.joined(separator: ","))]}
        """#
    }
    return Array("[\(items.joined(separator: ","))]".utf8)
  }
}
