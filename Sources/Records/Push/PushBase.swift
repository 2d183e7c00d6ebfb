/// What a row was before its first local edit that the server has not answered for: what the server was last known to have.
///
/// It has the attributes and the rows that to-one relationships led to, by the numbers that properties have in the history, so
/// it outlives changes of the schema. Members of to-many relationships are not in it, and of contents outside of records only by what
/// they are known: enough to tell whether another one is the same.
package struct PushBase: Sendable, Equatable {
  /// By number.
  private var values: [Int: FieldValue]

  init(_ record: RecordView, of entity: Entity) {
    let numbers = entity.propertyNumbers
    values = [:]
    for field in entity.layout.fields.indices {
      let value = record.value(field)
      values[numbers.number(of: entity.propertyOfField[field])] = value
    }
  }

  /// The value of an attribute, or the number of the row that a to-one relationship led to; nil when it isn't known.
  package func value(of property: Int, _ entity: Entity) -> FieldValue? {
    values[entity.propertyNumbers.number(of: property)]
  }

  /// Nothing known.
  init() { values = [:] }

  /// Notes the value of an attribute, or the number of the row that a to-one relationship led to. Of a content that would be outside
  /// of a record only a reference is noted.
  mutating func set(_ value: FieldValue, of property: Int, _ entity: Entity) {
    let isExternal = entity.layout.fields.indices.contains {
      entity.propertyOfField[$0] == property && entity.layout.fields[$0].isExternal
    }
    values[entity.propertyNumbers.number(of: property)] = isExternal ? value.storedOutside : value
  }

  /// The attributes and to-one relationships in which a record differs, among some properties. What isn't known, and what is to-many,
  /// counts as different.
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
  /// Whether two values are the same bytes, which texts that are only spelled alike are not. A content outside of a record is the same
  /// as one that has its hash.
  package func hasSameContent(as other: FieldValue) -> Bool {
    switch (self, other) {
    case (.external(let reference), .external(let other)): return reference == other
    case (.external(let reference), let value), (let value, .external(let reference)):
      return value.withContent { reference.matches($0) } ?? false
    default: break
    }
    func bytes(_ value: FieldValue) -> [UInt8] {
      var writer = CompactWriter()
      TombstoneValue.write(value, to: &writer)
      return writer.bytes
    }
    return bytes(self) == bytes(other)
  }

  /// The value as a record has it of an attribute in external storage.
  fileprivate var storedOutside: FieldValue {
    withContent { content in
      content.count > RecordLayout.insideByteCountMax ? .external(ContentReference(to: content)) : self
    } ?? self
  }

  /// The bytes of a value of varying length; nil for others.
  private func withContent<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
    switch self {
    case .string(let text), .url(let text):
      var text = text
      return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    case .data(let data), .composite(let data): return data.withUnsafeBytes(body)
    default: return nil
    }
  }
}
