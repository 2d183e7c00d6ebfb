import Foundation
import Records
import TestSupport
import Testing

@testable import Sync

@Suite("CD-4.4 Random predicates")
struct RandomPredicateTests {
  @Test("CD-4.4 A store finds what asking every object finds", arguments: 1...4)
  func storeAndOracleAgree(seed: UInt64) throws {
    var generator = PredicateGenerator(seed: seed)
    let world = try PredicateWorld(using: &generator.random)
    let store = try world.store()
    defer { store.close() }
    let oracle = PredicateOracle(world: world)
    var found = 0
    try store.read { snapshot in
      for _ in 0..<150 {
        let name = generator.random.pick(["Person", "Pilot", "Note"]) ?? "Note"
        let table = name == "Pilot" ? "Person" : name
        let predicate = generator.predicate(of: table)
        let conditions = try PredicateCompiler.conditions(predicate, of: name, in: world.model, store.catalog)
        #expect(conditions.map(\.entity.name) == [table])
        let rows = try conditions.flatMap {
          try snapshot.rows(snapshot.plan(RecordQuery($0.entity, where: $0.condition)))
        }
        let expected = (world.objects[table] ?? []).enumerated().filter { position, object in
          (name != "Pilot" || object.entity == "Pilot")
            && oracle.isTrue(predicate, of: PredicateOracle.Place(table: table, position: position))
        }.map { RowNumber(rawValue: UInt64($0.offset + 1)) }
        #expect(rows == expected, "\(name): \(predicate)")
        found += rows.count
      }
    }
    #expect(found > 200)
  }

  @Test("CD-4.4 A predicate's text, read again, is the same predicate", arguments: 1...4)
  func textRoundTrip(seed: UInt64) throws {
    var generator = PredicateGenerator(seed: seed + 50)
    var read = 0
    for _ in 0..<500 {
      let predicate = generator.predicate(of: "Person")
      // An object has no form in the text.
      if predicate.description.contains("<Person/") || predicate.description.contains("<Note/")
        || predicate.description.contains("<Tag/")
      {
        continue
      }
      let again = try ObjectPredicate(format: predicate.description)
      #expect(again == predicate, "\(predicate)")
      read += 1
    }
    #expect(read > 100)
  }

  @Test("CD-4.4 Every value, written and read again, is the same value")
  func valueRoundTrip() throws {
    var random = SplitMix64(seed: 9)
    for _ in 0..<500 {
      let scalars = (0..<random.below(6)).compactMap { _ in
        Unicode.Scalar(UInt32(random.below(random.chance(50) ? 128 : 0x3000)))
      }
      let values: [AttributeValue] = [
        .string(String(String.UnicodeScalarView(scalars))), .integer(Int64(bitPattern: random.next())),
        .double(Double(bitPattern: random.next())),
        .date(Date(timeIntervalSinceReferenceDate: Double(random.next()) / 1e9 - 5e8)),
        .decimal(Decimal(random.below(100_000)) / 1000), .data(Data(random.bytes(random.below(20)))),
        .uuid(UUID(uuidString: "00000000-0000-4000-8000-0000\(10_000_000 + random.below(80_000_000))") ?? UUID()),
        .url("https://example.com/\(random.below(9))?\""), .boolean(random.chance(50)),
      ]
      for value in values {
        if case .double(let double) = value, double.isNaN { continue }
        let again = try ObjectPredicate(format: "a == " + value.text)
        #expect(again == (Key("a") == value), "\(value.text)")
      }
    }
  }

  @Test("CD-12.2 A damaged text is an error with a place in it, or another predicate", arguments: 1...4)
  func damagedTexts(seed: UInt64) throws {
    var generator = PredicateGenerator(seed: seed + 90)
    let pieces = [
      "(", ")", "{", "}", "AND", "NOT", "%@", "%K", "$x", ".", "@count", "'", "\\", "[c]", "-", "#", "é", "CAST(", "9",
    ]
    var refused = 0
    for _ in 0..<500 {
      var text = Array(generator.predicate(of: "Note").description.unicodeScalars)
      for _ in 0...generator.random.below(3) {
        let place = generator.random.below(text.count + 1)
        if generator.random.chance(50), place < text.count {
          text.remove(at: place)
        } else {
          text.insert(contentsOf: Array((generator.random.pick(pieces) ?? "").unicodeScalars), at: place)
        }
      }
      let format = String(String.UnicodeScalarView(text))
      do {
        _ = try ObjectPredicate(format: format, "argument")
      } catch let error as PredicateFormatError {
        refused += 1
        #expect((error.position ?? 0) <= format.count)
      }
    }
    #expect(refused > 150)
  }
}
