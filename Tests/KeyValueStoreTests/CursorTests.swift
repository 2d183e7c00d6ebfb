import Testing

@testable import KeyValueStore

@Suite("Cursors")
struct CursorTests {
  @Test("any sequence of moves ends where it ends in a sorted array", arguments: 1...6 as ClosedRange<UInt64>)
  func moves(seed: UInt64) throws {
    let environment = try Environment.temporary()
    let table = try environment.table("t")
    var source = KeySource(seed: seed)
    var model = TableModel(environment)
    for _ in 0..<200 { model[source.next()] = source.value() }
    let pairs = model.entries()
    try environment.write { transaction in
      for pair in pairs { try transaction.put(pair.value, for: pair.key, in: table) }
    }
    try environment.read { snapshot in
      try snapshot.withCursor(in: table) { cursor in
        // -1 is before the first entry, and pairs.count behind the last.
        var place = -1
        for _ in 0..<2000 {
          let isThere: Bool
          switch source.number(0..<10) {
          case 0: (isThere, place) = (try cursor.first(), 0)
          case 1: (isThere, place) = (try cursor.last(), pairs.count - 1)
          case 2..<5: (isThere, place) = (try cursor.next(), min(place + 1, pairs.count))
          case 5..<8: (isThere, place) = (try cursor.previous(), max(place - 1, -1))
          default:
            let key = source.next()
            isThere = try cursor.seek(to: key)
            place = model.index(of: key)
          }
          #expect(isThere == pairs.indices.contains(place))
          if isThere {
            #expect(try Pair(key: Array(cursor.key), value: Array(cursor.value)) == pairs[place])
          } else {
            #expect(throws: StoreError.cursorNotPositioned) { try cursor.key }
          }
        }
      }
    }
  }

  @Test("a cursor on an empty table goes nowhere, and seeking an empty key goes to the first entry")
  func standsBeforeNothing() throws {
    let environment = try Environment.temporary()
    let table = try environment.table("t")
    try environment.read { snapshot in
      try snapshot.withCursor(in: table) { cursor throws in
        for move in [cursor.first, cursor.last, cursor.next, cursor.previous, { try cursor.seek(to: [1]) }] {
          #expect(try !move())
        }
      }
    }
    try environment.write { transaction in
      try transaction.put([1], for: [5], in: table)
      try transaction.withCursor(in: table) { cursor throws in
        #expect(try cursor.seek(to: []))
        #expect(try cursor.key.elementsEqual([5]))
      }
    }
  }

  @Test("a cursor goes on after changes of its transaction: past a deleted entry, and into a new one")
  func survivesChanges() throws {
    let environment = try Environment.temporary()
    let table = try environment.table("t")
    let visited = try environment.write { transaction in
      for number in 0..<2000 { try transaction.put([], for: [UInt8](number: number * 2), in: table) }
      var visited: [Int] = []
      try transaction.withCursor(in: table) { cursor in
        while try cursor.next() {
          let number = Array(try cursor.key).asNumber
          visited.append(number)
          if number % 10 == 0 { try transaction.delete([UInt8](number: number), in: table) }
          if number % 14 == 2 { try transaction.put([], for: [UInt8](number: number + 1), in: table) }
        }
      }
      return visited
    }
    // 30, 100, 170 … are deleted and get a successor; the cursor stands on what followed then.
    let isPassedOver = { (number: Int) in number % 70 == 31 }
    #expect(visited == (0..<4000).filter { $0 % 2 == 0 || ($0 % 14 == 3 && !isPassedOver($0)) })
    let left = (0..<4000).filter { $0 % 2 == 0 ? $0 % 10 != 0 : $0 % 14 == 3 }
    #expect(try environment.read { try $0.entries(table) }.map(\.key.asNumber) == left)
  }
}
