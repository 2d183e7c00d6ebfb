import Foundation
import TestSupport
import Testing

@testable import Records

/// Rows come in the order that was asked for: sorted, bounded, or as an index has them.
@Suite struct QueryOrderTests {
  @Test(arguments: [nil, 0, 1, 7, 100, 5000, 20_000, Int.max])
  func sorterKeepsTheFirst(wanted: Int?) throws {
    var random = SplitMix64(seed: 5)
    var sorter = RowSorter(keeping: wanted)
    var expected: [(key: String, row: RowNumber)] = []
    for number in 1...10_000 {
      let row = RowNumber(rawValue: UInt64(number))
      let key = random.chance(50) ? "\(random.below(50))" : String(repeating: "x", count: random.below(30))
      let isAccepted = random.chance(80)
      sorter.add(
        nil,
        { encoder in
          encoder.append(key)
          encoder.append(row)
        }, accepting: { isAccepted })
      if isAccepted { expected.append((key, row)) }
    }
    expected.sort { ($0.key, $0.row) < ($1.key, $1.row) }
    #expect(sorter.sortedRows().map(\.row) == expected.prefix(wanted ?? .max).map(\.row))
  }

  @Test func sorterAsksOnlyAboutRowsThatCouldBeAmongTheFirst() {
    var sorter = RowSorter(keeping: 3)
    var asked = 0
    for number in 1...10_000 as ClosedRange<UInt64> {
      sorter.add(
        nil, { $0.append(RowNumber(rawValue: number)) },
        accepting: {
          asked += 1; return true
        })
    }
    #expect(sorter.sortedRows().map(\.row.rawValue) == [1, 2, 3])
    #expect(asked < 500)
  }

  /// Texts that agree in more bytes than tables sort by, and rows that agree in everything.
  @Test(arguments: [true, false], [true, false])
  func longTextsAndTiesComeInOrder(isAscending: Bool, isCompound: Bool) throws {
    let stem = String(repeating: "long ", count: 110)
    let texts = [
      "b", stem + "2", stem + "1", "a", stem + "10", stem, "b", stem + "1", stem + "2" + stem, stem + "2" + stem + "1",
    ]
    let schema = StoreSchema(entities: [
      EntityDescription(
        name: "Thing",
        attributes: [
          AttributeDescription(name: "text", type: .string), AttributeDescription(name: "number", type: .int64),
        ],
        indexes: [isCompound ? ["text", "number"] : ["text"]])
    ])
    let store = try RecordStore.temporary(schema: schema)
    defer { store.close() }
    try store.write { transaction in
      for (position, text) in texts.enumerated() {
        _ = try transaction.insert("Thing") { builder, _ in
          builder.setString(0, text)
          builder.setInt64(1, Int64(-position))
        }
      }
    }
    let expected = texts.indices.sorted { left, right in
      texts[left] == texts[right] ? left < right : (texts[left] < texts[right]) == isAscending
    }.map { RowNumber(rawValue: UInt64($0 + 1)) }
    try store.read { snapshot in
      let thing = try snapshot.entity("Thing")
      let order = [OrderTerm(.field(0), ascending: isAscending)]
      let planner = QueryPlanner(RecordQuery(thing, order: order), in: snapshot)
      let choices = try planner.choices()
      #expect(choices.count == 2)
      for choice in choices {
        let plan = try planner.plan(choice)
        #expect(try snapshot.rows(plan) == expected, "\(plan)")
      }
      let prefix = Condition.text(0, TextMatch(.hasPrefix), stem + "2")
      let prefixed = QueryPlanner(RecordQuery(thing, where: prefix, order: order), in: snapshot)
      for choice in try prefixed.choices() {
        let plan = try prefixed.plan(choice)
        #expect(
          try snapshot.rows(plan) == expected.filter { texts[Int($0.rawValue) - 1].hasPrefix(stem + "2") }, "\(plan)")
      }
      let equal = QueryPlanner(RecordQuery(thing, where: .compare(0, .equal, .string(stem + "1"))), in: snapshot)
      for choice in try equal.choices() {
        #expect(try snapshot.rows(equal.plan(choice)).map(\.rawValue) == [3, 8])
      }
    }
  }

  /// A limit is reached early only if the rows that are asked for are not the last of the index.
  @Test(arguments: [0, 3, 20], [true, false])
  func indexIsLeftWhenItLeadsToFewRows(limit: Int, isAscending: Bool) throws {
    let schema = StoreSchema(entities: [
      EntityDescription(
        name: "Thing",
        attributes: [
          AttributeDescription(name: "number", type: .int64), AttributeDescription(name: "text", type: .string),
        ],
        indexes: [["number"]])
    ])
    let store = try RecordStore.temporary(schema: schema)
    defer { store.close() }
    let count = 4000
    try store.write { transaction in
      for position in 0..<count {
        _ = try transaction.insert("Thing") { builder, _ in
          builder.setInt64(0, Int64((position * 7) % count))
          builder.setString(1, position % 500 == 11 ? "rare" : "frequent")
        }
      }
    }
    let expected = (0..<count).filter { $0 % 500 == 11 }
      .sorted { (($0 * 7) % count < ($1 * 7) % count) == isAscending }.map { UInt64($0 + 1) }
    try store.read { snapshot in
      let query = RecordQuery(
        try snapshot.entity("Thing"), where: .text(1, TextMatch(.contains), "rar"),
        order: [OrderTerm(.field(0), ascending: isAscending)], offset: 1, limit: limit)
      let planner = QueryPlanner(query, in: snapshot)
      var asked = 0
      for choice in try planner.choices() {
        let plan = try planner.plan(choice)
        let rows = try snapshot.rows(plan) { _, _ in
          asked += 1
          return true
        }
        #expect(rows.map(\.rawValue) == Array(expected.dropFirst().prefix(limit)), "\(plan)")
      }
      // One plan asks each row once, the other those before it gives up once more.
      if limit == 20 { #expect(asked > 16 && asked < 24) }
    }
  }

  /// An index has the first term; groups of all sizes are sorted by the second, and end where a limit is full.
  @Test(arguments: [nil, 0, 1, 7, 60, 1000], [true, false])
  func rowsThatAgreeInAnIndexAreSortedByTheOtherTerms(limit: Int?, isAscending: Bool) throws {
    let schema = StoreSchema(entities: [
      EntityDescription(
        name: "Thing",
        attributes: [
          AttributeDescription(name: "number", type: .int64, isOptional: true),
          AttributeDescription(name: "text", type: .string),
        ],
        indexes: [["number"]])
    ])
    let store = try RecordStore.temporary(schema: schema)
    defer { store.close() }
    var random = SplitMix64(seed: 11)
    let things = (0..<3000).map { _ in (number: random.below(random.chance(30) ? 2 : 800), text: random.below(40)) }
    try store.write { transaction in
      for thing in things {
        _ = try transaction.insert("Thing") { builder, _ in
          if thing.number > 0 { builder.setInt64(0, Int64(thing.number)) }
          builder.setString(1, "\(thing.text)")
        }
      }
    }
    let sorted = things.indices.sorted { left, right in
      let (one, other) = (things[left], things[right])
      if one.number != other.number { return (one.number < other.number) == isAscending }
      return one.text == other.text ? left < right : "\(one.text)" > "\(other.text)"
    }
    try store.read { snapshot in
      let query = RecordQuery(
        try snapshot.entity("Thing"), where: .not(.compare(1, .equal, .string("7"))),
        order: [OrderTerm(.field(0), ascending: isAscending), OrderTerm(.field(1), ascending: false)], offset: 3,
        limit: limit)
      let expected = sorted.filter { things[$0].text != 7 }.dropFirst(3).prefix(limit ?? .max)
        .map { RowNumber(rawValue: UInt64($0 + 1)) }
      let planner = QueryPlanner(query, in: snapshot)
      let choices = try planner.choices()
      #expect(choices.count == 2)
      for choice in choices {
        let plan = try planner.plan(choice)
        #expect(try snapshot.rows(plan) == expected, "\(plan)")
      }
    }
  }

  /// The walk ends with the group in which the limit is full.
  @Test func firstRowsOfAnIndexAreTheOnlyOnesLookedAt() throws {
    let schema = StoreSchema(entities: [
      EntityDescription(
        name: "Thing",
        attributes: [
          AttributeDescription(name: "number", type: .int64), AttributeDescription(name: "other", type: .int64),
        ],
        indexes: [["number"]])
    ])
    let store = try RecordStore.temporary(schema: schema)
    defer { store.close() }
    try store.write { transaction in
      for position in 0..<2000 as Range<Int64> {
        _ = try transaction.insert("Thing") { builder, _ in
          builder.setInt64(0, position / 4)
          builder.setInt64(1, -position)
        }
      }
    }
    try store.read { snapshot in
      let query = RecordQuery(
        try snapshot.entity("Thing"), order: [OrderTerm(.field(0), ascending: false), OrderTerm(.field(1))], limit: 6)
      var asked: Set<RowNumber> = []
      let plan = try snapshot.plan(query)
      let rows = try snapshot.rows(plan) { row, _ in
        asked.insert(row)
        return true
      }
      #expect(rows.map(\.rawValue) == [2000, 1999, 1998, 1997, 1996, 1995])
      #expect(asked.count == 8, "\(plan)")
    }
  }

  private static func standardOrder(_ left: String, _ right: String) -> Int {
    let keys = [left, right].map { TextOrder.localizedStandard.key(of: $0) }
    return keys[0].lexicographicallyPrecedes(keys[1]) ? -1 : keys[0] == keys[1] ? 0 : 1
  }

  @Test func standardOrderIsThatOfPeople() {
    let sorted = [
      "", " x", "_x", "-x", "1", "02", "2", "10", "10a", "a", "A", "Ä", "a2", "a10", "Ab", "b", "co-op", "CO-OP",
      "coop",
      "É", "f", "file 9", "file 10", "o", "ø", "p", "ß", "st", "z", "日本",
    ]
    for left in sorted.indices {
      for right in sorted.indices {
        #expect(
          Self.standardOrder(sorted[left], sorted[right]) == (left - right).signum(),
          "\(sorted[left]) and \(sorted[right])")
      }
    }
  }

  /// Foundation's order depends on the user's language; that of plain words does not.
  @Test(.enabled(if: ["en", nil].contains(Locale.current.language.languageCode?.identifier)))
  func standardOrderOfWordsIsFoundations() {
    var random = SplitMix64(seed: 9)
    let pieces = ["a", "A", "b", "B", "z", "ä", "Ä", "é", " ", "-", "_", ".", "0", "1", "9", "12"]
    for _ in 0..<3000 {
      let words = (0..<2).map { _ in (0..<random.below(5)).map { _ in random.pick(pieces) ?? "" }.joined() }
      let expected = words[0].localizedStandardCompare(words[1])
      #expect(Self.standardOrder(words[0], words[1]) == expected.rawValue, "\(words)")
    }
  }

  @Test func calculatedNumbersSortAcrossSigns() throws {
    let office = try Office()
    let numbers: [UInt32] = [5, .max, 0, 7]
    try office.write { transaction in
      for (position, number) in numbers.enumerated() {
        let person = try transaction.insertPerson("\(position)")
        _ = try transaction.insert("Badge") { builder, badge in
          builder.setUInt64(try #require(badge.attribute(named: "code")).field, UInt64(number))
          builder.setRow(try #require(badge.relationship(named: "holder")?.field), person)
        }
      }
    }
    try office.read { snapshot in
      let badge = try snapshot.entity("Badge")
      let code = try #require(badge.attribute(named: "code")).field
      let shifted = Operand.arithmetic(.field(code), .subtract, .constant(.int(6)))
      let query = RecordQuery(badge, order: [OrderTerm(shifted)])
      #expect(try snapshot.rows(snapshot.plan(query)).map(\.rawValue) == [3, 1, 4, 2])
    }
  }
}
