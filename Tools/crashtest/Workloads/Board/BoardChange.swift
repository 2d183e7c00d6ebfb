import Records
import TestSupport

/// A few changes of rows and links in one transaction.
struct BoardChange: Sendable {
  private static let itemCount = 60

  let seed: UInt64

  func apply(to transaction: RecordTransaction) throws {
    var random = SplitMix64(seed: seed)
    let folder = try row(of: "Folder", id: random.below(6), in: transaction)
    for _ in 0...random.below(5) {
      let id = random.below(Self.itemCount)
      let item = try row(of: "Item", id: id, in: transaction)
      let entity = try entity("Item", in: transaction)
      if random.chance(20) {
        _ = try transaction.delete(item, of: entity)
        continue
      }
      var builder = RecordBuilder(entity.layout)
      _ = try transaction.withRecord(item, of: entity) { builder.load($0) }
      try set(
        "title", .string(String(repeating: "\(random.below(1000)) ", count: 1 + random.below(40))), &builder, entity)
      try set("weight", random.chance(20) ? .null : .int(Int64(random.below(50))), &builder, entity)
      if random.chance(60) {
        let note = BoardNote.draw(&random, largePercent: 40)
        try set("note", note.map(FieldValue.string) ?? .null, &builder, entity)
      }
      if let field = entity.relationship(named: "folder")?.field {
        _ = builder.setRow(field, random.chance(70) ? folder : nil)
      }
      _ = try transaction.update(item, of: entity, with: &builder)
      if let tags = entity.relationship(named: "tags") {
        let members = try Set((0..<random.below(4)).map { _ in random.below(12) }).sorted().map {
          try row(of: "Tag", id: $0, in: transaction)
        }
        _ = try transaction.setMembers(of: tags, owner: item, to: members)
      }
    }
  }

  /// The row with an identity, made if there is none.
  private func row(of name: String, id: Int, in transaction: RecordTransaction) throws -> RowNumber {
    let entity = try entity(name, in: transaction)
    let value = FieldValue.int(Int64(id))
    if let index = entity.identityIndex, let row = try transaction.firstRow(where: index, equals: [value]) {
      return row
    }
    var builder = RecordBuilder(entity.layout)
    try set("id", value, &builder, entity)
    if name == "Item" { try set("title", .string("new"), &builder, entity) }
    return try transaction.insert(&builder, into: entity)
  }

  private func entity(_ name: String, in transaction: RecordTransaction) throws -> Entity {
    guard let entity = transaction.catalog.entity(named: name) else { throw HarnessError("no entity '\(name)'") }
    return entity
  }

  private func set(_ name: String, _ value: FieldValue, _ builder: inout RecordBuilder, _ entity: Entity) throws {
    guard let attribute = entity.attribute(named: name), builder.set(attribute.field, value) else {
      throw HarnessError("\(entity.name).\(name) can't be set")
    }
  }
}
