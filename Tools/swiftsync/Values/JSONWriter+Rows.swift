import Records
import SyncEngine

extension JSONWriter {
  /// The members of a row's object: its properties.
  mutating func writeMembers(of row: Row) throws {
    try row.forEachProperty { property, value in
      writeKey(property.name)
      try write(value)
    }
  }

  mutating func write(_ value: PropertyValue) throws {
    switch value {
    case .attribute(let value):
      try write(value)
    case .toOne(nil):
      writeNull()
    case .toOne(let reference?):
      try write(reference)
    case .toMany(let references):
      beginArray()
      for reference in references { try write(reference) }
      endArray()
    }
  }

  mutating func writeRowNumber(_ row: RowNumber) {
    writeKey("$row")
    write(row.rawValue)
  }

  /// What a relationship leads to: the identity of a row, or `{"$row": number}` for a row without a usable identity.
  private mutating func write(_ reference: RowReference) throws {
    switch reference {
    case .identity(let value):
      try write(value)
    case .row(let row):
      beginObject()
      writeRowNumber(row)
      endObject()
    }
  }
}
