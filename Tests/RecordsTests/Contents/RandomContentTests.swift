import FoundationEssentials
import TestSupport
import Testing

@testable import Records

/// Random changes of rows and schemas, compared with plain values.
@Suite struct RandomContentTests {
  private static let names = ["image", "note", "page", "info"]

  private static func schema(_ random: inout SplitMix64) -> StoreSchema {
    let attributes = Gallery.attributes.map { attribute in
      var attribute = attribute
      attribute.options = random.chance(60) ? .externalStorage : []
      return attribute
    }
    // An index has nothing to do with most of this, but needs the values.
    let indexed = attributes.first { $0.options.isEmpty && $0.type != .composite }
    return Gallery.schema(attributes, indexes: random.chance(30) ? indexed.map { [[$0.name]] } ?? [] : [])
  }

  private struct Change: Sendable {
    var row: RowNumber?
    var values: [String: FieldValue]
    var isDeletion = false
  }

  private static func value(of name: String, _ random: inout SplitMix64) -> FieldValue {
    let lengths = [nil, 0, 3, 100, Gallery.insideMax, Gallery.insideMax + 1, Gallery.insideMax * 2]
    return Gallery.value(of: name, lengths[random.below(lengths.count)], UInt8(random.below(3)))
  }

  private static func change(_ rows: [RowNumber], _ random: inout SplitMix64) -> Change {
    let row = random.chance(25) ? nil : random.pick(rows)
    var values: [String: FieldValue] = [:]
    for name in names where random.chance(40) { values[name] = value(of: name, &random) }
    return Change(row: row, values: values, isDeletion: row != nil && random.chance(15))
  }

  @Test(arguments: 0..<6)
  func storeAgreesWithPlainValues(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let folder = try EvolvingStore()
    var expected: [RowNumber: [String: FieldValue]] = [:]
    var nextID: Int64 = 0
    for _ in 0..<8 {
      try folder.with(Self.schema(&random)) { store in
        for _ in 0..<12 {
          nextID += 1
          let change = Self.change(expected.keys.sorted(), &random)
          let id = nextID
          let row = try store.write { transaction in try Self.carryOut(change, id, in: transaction) }.result
          if change.isDeletion {
            expected[row] = nil
          } else {
            expected[row, default: [:]].merge(change.values) { $1 }
          }
        }
        #expect(try store.violations() == [])
        for (row, values) in expected {
          for name in Self.names { #expect(try store.value(of: name, row) == values[name] ?? .null) }
        }
      }
    }
  }

  private static func carryOut(_ change: Change, _ id: Int64, in transaction: RecordTransaction) throws -> RowNumber {
    guard let row = change.row else {
      return try transaction.add("Photo", change.values.merging(["id": .int(id)]) { $1 })
    }
    if change.isDeletion {
      _ = try transaction.delete(row, of: transaction.entity("Photo"))
      return row
    }
    _ = try transaction.edit("Photo", row) { builder, photo in
      for (name, value) in change.values {
        let isSet = builder.set(try #require(photo.attribute(named: name)).field, value)
        #expect(isSet)
      }
    }
    return row
  }
}
