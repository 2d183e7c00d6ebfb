/// What a row was before its first local edit that the server has not answered for: what the server was last known to have.
///
/// It has the attributes and the rows that to-one relationships led to, by the numbers that properties have in the history, so
/// it outlives changes of the schema. Members of to-many relationships and contents outside of records are not in it.
package struct PushBase: Sendable, Equatable {
  /// By number.
  private var values: [Int: FieldValue]

  init(_ record: RecordView, of entity: Entity) {
    let numbers = entity.propertyNumbers
    values = [:]
    for field in entity.layout.fields.indices {
      let value = record.value(field)
      if case .external = value { continue }
      values[numbers.number(of: entity.propertyOfField[field])] = value
    }
  }

  /// The value of an attribute, or the number of the row that a to-one relationship led to; nil when it isn't known.
  package func value(of property: Int, _ entity: Entity) -> FieldValue? {
    values[entity.propertyNumbers.number(of: property)]
  }

  /// Nothing known.
  init() { values = [:] }

  /// Notes the value of an attribute, or the number of the row that a to-one relationship led to.
  mutating func set(_ value: FieldValue, of property: Int, _ entity: Entity) {
    values[entity.propertyNumbers.number(of: property)] = value
  }

  /// The attributes and to-one relationships in which a record differs, among some properties. What isn't known, because it is
  /// outside of records or to-many, counts as different.
  package func differences(
    from record: RecordView, among properties: PropertySet, of entity: Entity
  ) -> PropertySet {
    var same = PropertySet()
    for field in entity.layout.fields.indices {
      let property = entity.propertyOfField[field]
      guard properties.contains(property), let value = value(of: property, entity) else { continue }
      if value.hasSameContent(as: record.value(field)) { same.insert(property) }
    }
    return PropertySet(properties.members.filter { !same.contains($0) })
  }

  func write(to writer: inout CompactWriter) {
    writer.append(count: values.count)
    for (number, value) in values.sorted(by: { $0.key < $1.key }) {
      writer.append(count: number)
      TombstoneValue.write(value, to: &writer)
    }
  }

  init(from reader: inout CompactReader) throws(MalformedBytes) {
    values = [:]
    for _ in 0..<(try reader.count()) {
      guard let number = Int(exactly: try reader.number()) else { throw MalformedBytes() }
      values[number] = try TombstoneValue.read(from: &reader)
    }
    guard reader.isAtEnd else { throw MalformedBytes() }
  }
}

extension FieldValue {
  /// Whether two values are the same bytes, which texts that are only spelled alike are not.
  package func hasSameContent(as other: FieldValue) -> Bool {
    func bytes(_ value: FieldValue) -> [UInt8] {
      var writer = CompactWriter()
      TombstoneValue.write(value, to: &writer)
      return writer.bytes
    }
    if case .external = other { return false }
    return bytes(self) == bytes(other)
  }
}
