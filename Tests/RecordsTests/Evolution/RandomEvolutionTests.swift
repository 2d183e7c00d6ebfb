import Foundation
import TestSupport
import Testing

@testable import Records

/// A store follows one random schema after another while rows are written and deleted, and is compared with values in memory.
@Suite struct RandomEvolutionTests {
  @Test(arguments: 1...8)
  func rowsAgreeWithThoseInMemory(seed: UInt64) throws {
    var run = RandomEvolution(seed: seed)
    let folder = try EvolvingStore()
    for _ in 0..<15 {
      run.changeSchema()
      try folder.with(run.schema) { store in
        // A later opening with the same schema does not look for what follows from it.
        let catalog = store.catalog.document
        #expect(catalog.isMade(for: run.schema, version: nil))
        #expect(try CatalogEvolution(of: catalog, to: run.schema).result == catalog)
        #expect(try store.violations() == [])
        #expect(try store.rows("A") == run.expectedRows)
        let edits = run.edits()
        let inserted = try store.write { transaction in
          try edits.apply(to: transaction)
        }.result
        run.take(edits, inserted: inserted)
        #expect(try store.violations() == [])
        #expect(try store.rows("A") == run.expectedRows)
      }
    }
  }
}

/// A schema that changes, and the rows that a store of it must have.
private struct RandomEvolution {
  private var random: SplitMix64
  private var attributes: [AttributeDescription] = []
  private var indexes: Set<[String]> = []
  private var nextName = 0
  /// The attributes whose optionality has changed in this round.
  private var toggled: Set<String> = []
  private var rows: [UInt64: [String: FieldValue]] = [:]

  private static let types: [AttributeType] = [
    .bool, .int8, .int16, .int32, .uint8, .uint16, .uint32, .float, .double, .string, .url, .data, .uuid, .date,
    .decimal,
  ]

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  var schema: StoreSchema {
    StoreSchema(entities: [
      EntityDescription(name: "A", attributes: attributes, indexes: indexes.sorted { $0[0] < $1[0] })
    ])
  }

  var expectedRows: [UInt64: Row] {
    rows.mapValues { values in
      Dictionary(uniqueKeysWithValues: attributes.map { ($0.name, (values[$0.name] ?? .null).text) })
    }
  }

  // MARK: Schema

  mutating func changeSchema() {
    // Names from before belong to the last change only.
    for position in attributes.indices { attributes[position].originalName = nil }
    toggled = []
    for _ in 0...random.below(4) {
      guard !attributes.isEmpty, random.below(4) > 0 else {
        addAttribute()
        continue
      }
      let position = random.below(attributes.count)
      switch random.below(6) {
      case 0: removeAttribute(at: position)
      case 1: renameAttribute(at: position)
      case 2: widenAttribute(at: position)
      case 3: changeOptionality(at: position)
      default: changeIndexes()
      }
    }
  }

  private mutating func addAttribute() {
    let type = Self.types[random.below(Self.types.count)]
    let isOptional = random.below(2) == 0
    nextName += 1
    let attribute = AttributeDescription(
      name: "a\(nextName)", type: type, isOptional: isOptional, defaultValue: isOptional ? nil : value(of: type))
    attributes.insert(attribute, at: random.below(attributes.count + 1))
    changeRows { values in values[attribute.name] = attribute.defaultValue ?? .null }
  }

  private mutating func removeAttribute(at position: Int) {
    let name = attributes.remove(at: position).name
    indexes = indexes.filter { !$0.contains(name) }
    changeRows { values in values[name] = nil }
  }

  private mutating func renameAttribute(at position: Int) {
    let name = attributes[position].name
    // An attribute of this round is renamed by being added under the other name.
    guard attributes[position].originalName == nil else { return }
    nextName += 1
    let newName = "a\(nextName)"
    attributes[position].name = newName
    attributes[position].originalName = name
    indexes = Set(indexes.map { $0.map { $0 == name ? newName : $0 } })
    if toggled.contains(name) { toggled.insert(newName) }
    changeRows { values in values[newName] = values.removeValue(forKey: name) }
  }

  private mutating func widenAttribute(at position: Int) {
    let old = FieldKind(attributes[position].type)
    let wider = AttributeType.allCases.filter { FieldConversion(from: old, to: FieldKind($0)) == .always }
    guard let type = wider.isEmpty ? nil : wider[random.below(wider.count)] else { return }
    attributes[position].type = type
    let name = attributes[position].name
    func converted(_ value: FieldValue) -> FieldValue { FieldConversion.convert(value, to: FieldKind(type)) ?? .null }
    attributes[position].defaultValue = attributes[position].defaultValue.map(converted)
    changeRows { values in values[name] = values[name].map(converted) }
  }

  private mutating func changeOptionality(at position: Int) {
    // Only the last state counts, and what was null before would not be known any more.
    guard toggled.insert(attributes[position].name).inserted else { return }
    attributes[position].isOptional.toggle()
    guard !attributes[position].isOptional else { return }
    let name = attributes[position].name
    let value = value(of: attributes[position].type)
    attributes[position].defaultValue = value
    changeRows { values in if values[name] == .null { values[name] = value } }
  }

  private mutating func changeRows(_ change: (inout [String: FieldValue]) -> Void) {
    rows = rows.mapValues { values in
      var values = values
      change(&values)
      return values
    }
  }

  private mutating func changeIndexes() {
    let names = (0...random.below(2)).map { _ in attributes[random.below(attributes.count)].name }
    guard Set(names).count == names.count else { return }
    if indexes.remove(names) == nil { indexes.insert(names) }
  }

  // MARK: Rows

  private mutating func value(of type: AttributeType) -> FieldValue {
    let number = Int64(random.below(200)) - 100
    return switch type {
    case .bool: .bool(number > 0)
    case .int8, .int16, .int32, .int64: .int(number)
    case .uint8, .uint16, .uint32, .uint64: .uint(UInt64(number + 100))
    case .float: .float(Float(number) / 4)
    case .double: .double(Double(number) / 8)
    case .decimal: .decimal(Decimal(number) / 10)
    case .string: .string(String(repeating: "ä\(number)", count: random.below(3)))
    case .url: .url("x:\(number)")
    case .data, .composite: .data(Data(repeating: UInt8(number + 100), count: random.below(40)))
    case .date: .date(Date(timeIntervalSinceReferenceDate: Double(number)))
    case .uuid: .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(number + 100))))
    }
  }

  private mutating func values() -> [String: FieldValue] {
    var result: [String: FieldValue] = [:]
    for attribute in attributes {
      let isNull = attribute.isOptional && random.below(3) == 0
      result[attribute.name] = isNull ? .null : value(of: attribute.type)
    }
    return result
  }

  /// What one transaction does.
  struct Edits: Sendable {
    var deleted: [UInt64] = []
    var updated: [UInt64: [String: FieldValue]] = [:]
    var inserted: [[String: FieldValue]] = []

    func apply(to transaction: RecordTransaction) throws -> [UInt64] {
      let entity = try transaction.entity("A")
      for row in deleted { _ = try transaction.delete(RowNumber(rawValue: row), of: entity) }
      for (row, values) in updated {
        _ = try transaction.edit("A", RowNumber(rawValue: row)) { builder, entity in
          for (name, value) in values { builder.set(try #require(entity.attribute(named: name)).field, value) }
        }
      }
      return try inserted.map { try transaction.add("A", $0).rawValue }
    }
  }

  mutating func edits() -> Edits {
    var edits = Edits()
    for row in rows.keys.sorted() {
      switch random.below(8) {
      case 0: edits.deleted.append(row)
      case 1:
        // One attribute, so that the others are taken over from the layout that the row was written in.
        let all = values()
        if let name = all.keys.sorted().first { edits.updated[row] = [name: all[name] ?? .null] }
      default: break
      }
    }
    edits.inserted = (0..<random.below(8)).map { _ in values() }
    return edits
  }

  mutating func take(_ edits: Edits, inserted: [UInt64]) {
    for row in edits.deleted { rows[row] = nil }
    for (row, values) in edits.updated { rows[row]?.merge(values) { $1 } }
    for (row, values) in zip(inserted, edits.inserted) { rows[row] = values }
  }
}
