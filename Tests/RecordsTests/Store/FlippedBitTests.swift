import FoundationEssentials
import KeyValueStore
import TestSupport
import Testing

@testable import Records

/// A bit of a stored entry that is flipped in the file is an error to whoever asks for something that depends on it.
///
/// A campaign of damaged stores found that the row number in a unique index entry had no checksum: a look-up led to another
/// row, which was sound by itself. Nor must a key that seems to be another one hide what was stored under it: a sync would
/// make the row a second time.
@Suite struct FlippedBitTests {
  private static let schema = StoreSchema(entities: [
    EntityDescription(
      name: "Person",
      attributes: [
        AttributeDescription(name: "id", type: .string, options: .unique),
        AttributeDescription(name: "age", type: .int16, isOptional: true),
      ],
      relationships: [
        RelationshipDescription(name: "friends", destination: "Person", isToMany: true, inverse: "friendOf"),
        RelationshipDescription(name: "friendOf", destination: "Person", isToMany: true),
      ],
      identity: "id", indexes: [["age"]])
  ])
  /// The question whether the store is sound.
  private static let check = "check"
  private static let ids = ["ba", "dad", "fee", "hah", "jab"]

  /// The entry of a table that is damaged, and whether its value is too.
  struct Target: Sendable, CustomTestStringConvertible {
    var table: String
    var place: Int
    var withValue = true
    var testDescription: String { "\(table), entry \(place)" }
  }

  private let folder: TemporaryFolder
  private let sound: Data
  private var file: URL { URL(filePath: folder["store/data.mdb"]) }

  init() throws {
    folder = try TemporaryFolder()
    let store = try RecordStore(at: folder["store"], schema: Self.schema)
    try store.write { transaction in
      let rows = try Self.ids.enumerated().map { place, id in
        try transaction.insert("Person") { builder, person in
          builder.setString(try #require(person.attribute(named: "id")).field, id)
          builder.setInt64(try #require(person.attribute(named: "age")).field, Int64(30 + place / 3))
        }
      }
      let friends = try transaction.relationship("Person", "friends")
      for row in rows { _ = try transaction.setMembers(of: friends, owner: row, to: [rows[2], rows[0]]) }
    }
    store.close()
    sound = try Data(contentsOf: URL(filePath: folder["store/data.mdb"]))
  }

  /// The bytes of an entry as they lie in the file.
  private func entry(_ target: Target) throws -> (key: [UInt8], value: [UInt8]) {
    let store = try RecordStore(readingAt: folder["store"])
    defer { store.close() }
    let table = try store.environment.table(target.table)
    var entries: [(key: [UInt8], value: [UInt8])] = []
    try store.environment.read { snapshot in
      try snapshot.scan(table) { key, value in
        entries.append(([UInt8](key), [UInt8](value)))
        return .continue
      }
    }
    return entries[target.place]
  }

  /// Runs a closure for each bit of an entry, with the store in which it is flipped.
  private func forEachFlippedBit(of target: Target, _ body: (_ bit: Int) throws -> Void) throws {
    let (key, value) = try entry(target)
    let bytes = Data(key + value)
    // Older copies of the page are in the file too, and it does not matter what becomes of them.
    var places: [Data.Index] = []
    while let range = sound[(places.last.map { $0 + 1 } ?? 0)...].firstRange(of: bytes) {
      places.append(range.lowerBound)
    }
    try #require(!places.isEmpty)
    for bit in 0..<(target.withValue ? bytes.count : key.count) * 8 {
      var damaged = sound
      for place in places { damaged[place + bit / 8] ^= 1 << UInt8(bit % 8) }
      try damaged.write(to: file)
      try body(bit)
    }
    try sound.write(to: file)
  }

  /// What can be asked, with the answers; nil where a store says that it is damaged.
  private func answers() throws -> [String: String?] {
    let store: RecordStore
    do { store = try RecordStore(readingAt: folder["store"]) } catch is RecordError { return [:] }
    defer { store.close() }
    return try store.read { snapshot in
      var answers: [String: String?] = [:]
      func ask(_ question: String, _ answer: () throws -> String) throws {
        do { answers.updateValue(try answer(), forKey: question) } catch is RecordError {
          answers.updateValue(nil, forKey: question)
        }
      }
      let person = try snapshot.entity("Person")
      let identity = try #require(person.identityIndex)
      let age = try snapshot.index("Person", ["age"])
      let friends = try snapshot.relationship("Person", "friends")
      for number in 1...UInt64(Self.ids.count + 1) {
        let row = RowNumber(rawValue: number)
        try ask("row \(number)") {
          try snapshot.withRecord(row, of: person) { record in
            person.attributes.map { record.value($0.field).text }.joined(separator: " ")
          } ?? "none"
        }
        try ask("is there \(number)") { "\(try snapshot.contains(row, of: person))" }
        try ask("friends of \(number)") { "\(try snapshot.members(of: friends, owner: row).map(\.rawValue))" }
      }
      var keys = IndexKeys()
      for id in Self.ids + ["aa", "e", "zz"] {
        keys.append { $0.append(id) }
        try ask("id \(id)") { "\(try snapshot.rows(where: identity, equals: [.string(id)]).map(\.rawValue))" }
      }
      try ask("all ids") {
        var found: [String] = []
        try snapshot.lookUp(keys, in: identity) { found.append("\($0) \($1.rawValue)") }
        return "\(found)"
      }
      for value in 29...32 {
        try ask("age \(value)") {
          "\(try snapshot.rows(where: age, equals: [.int(Int64(value))]).map(\.rawValue))"
        }
      }
      try ask("rows") {
        var rows: [UInt64] = []
        try snapshot.forEachRecord(of: person) { row, _ in
          rows.append(row.rawValue)
          return .continue
        }
        return "\(rows)"
      }
      for index in [identity, age] {
        try ask("rows by \(index.attributes[0].name)") {
          var rows: [UInt64] = []
          try snapshot.forEachRecord(of: person, inOrderOf: index) { row, _ in
            rows.append(row.rawValue)
            return .continue
          }
          return "\(rows)"
        }
      }
      for (name, query) in try queries(on: person, friends) {
        let planner = QueryPlanner(query, in: snapshot)
        for (number, choice) in try planner.choices().enumerated() {
          try ask("\(name), \(number)") { "\(try snapshot.rows(planner.plan(choice)).map(\.rawValue))" }
        }
        try ask("\(name), counted") { "\(try snapshot.count(query))" }
      }
      try ask("next") { "\(try snapshot.nextRow(of: person)) \(try snapshot.nextRank())" }
      try ask(Self.check) { "\(try snapshot.checkInvariants().isEmpty)" }
      return answers
    }
  }

  /// Queries that read parts of indexes forwards and backwards, and links.
  private func queries(on person: Entity, _ friends: Relationship) throws -> [(name: String, query: RecordQuery)] {
    let id = try #require(person.attribute(named: "id")).field
    let age = try #require(person.attribute(named: "age")).field
    let between = Condition.all([
      .compare(id, .greaterOrEqual, .string("d")), .compare(id, .less, .string("h")),
    ])
    let isListed = Condition.oneOf(id, [.string("ba"), .string("e"), .string("fee")])
    let hasFriend = Condition.anyMember(friends, .compare(id, .equal, .string("fee")))
    let backwards = [OrderTerm(.field(age), ascending: false)]
    return [
      ("between", RecordQuery(person, where: between)), ("one of", RecordQuery(person, where: isListed)),
      ("prefix", RecordQuery(person, where: .text(id, TextMatch(.hasPrefix), "d"))),
      ("older", RecordQuery(person, where: .compare(age, .greater, .int(30)), order: backwards)),
      ("30", RecordQuery(person, where: .compare(age, .equal, .int(30)))),
      ("backwards", RecordQuery(person, order: backwards, limit: 3)),
      ("has friend", RecordQuery(person, where: hasFriend)),
    ]
  }

  @Test(arguments: [
    Target(table: "x.1", place: 0), Target(table: "x.1", place: 2), Target(table: "x.1", place: 4),
    Target(table: "x.2", place: 0), Target(table: "x.2", place: 2), Target(table: "x.2", place: 4),
    Target(table: "l.1", place: 0), Target(table: "l.1", place: 5), Target(table: "l.1", place: 9),
    Target(table: "r.1", place: 0, withValue: false), Target(table: "r.1", place: 2, withValue: false),
    Target(table: "r.1", place: 4, withValue: false),
    // In the order of their keys: catalog, format, rank, rows.
    Target(table: "meta", place: 0, withValue: false), Target(table: "meta", place: 1), Target(table: "meta", place: 2),
    Target(table: "meta", place: 3),
  ])
  func noAnswerIsWrong(target: Target) throws {
    let truth = try answers()
    try #require(!truth.isEmpty && truth.values.allSatisfy { $0 != nil })
    try forEachFlippedBit(of: target) { bit in
      let found = try answers()
      for (question, answer) in found where question != Self.check {
        if let answer { #expect(answer == truth[question], "bit \(bit), \(question)") }
      }
      #expect(found[Self.check] != "true", "bit \(bit)")
    }
  }

  /// The writer looks for the owner of a key, and where the index ends.
  @Test(arguments: [0, 2, 4]) func noIdentityIsGivenTwice(place: Int) throws {
    try forEachFlippedBit(of: Target(table: "x.1", place: place)) { bit in
      let store = try RecordStore(at: folder["store"], schema: Self.schema)
      defer { store.close() }
      for id in Self.ids {
        #expect(throws: RecordError.self, "bit \(bit), \(id)") {
          try store.write { try $0.insertPerson(id) }
        }
      }
    }
  }

  /// A table whose name has become another one must not be made anew, as if it had been empty.
  @Test(arguments: ["r.1", "x.1", "x.2", "l.1", "meta"]) func lostTableIsNotMadeAgain(name: String) throws {
    var damaged = sound
    // A table's name lies before its description of 48 bytes, and behind the two bytes of its own length.
    var start = damaged.startIndex
    while let range = damaged[start...].firstRange(of: Data([UInt8(name.utf8.count), 0] + name.utf8)) {
      damaged[range.upperBound - 1] ^= 4
      start = range.upperBound
    }
    try #require(damaged != sound)
    try damaged.write(to: file)
    #expect(throws: RecordError.self) { try RecordStore(at: folder["store"], schema: Self.schema) }
  }
}
