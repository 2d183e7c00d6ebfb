import FoundationEssentials
import TestSupport
import Testing

@testable import Records

/// What is set in a builder is what a view of the record shows.
@Suite struct RecordCodecTests {
  private static let types = AttributeType.allCases

  private func layout(_ types: [AttributeType]) -> RecordLayout {
    RecordLayout(version: 1, kinds: types.map(FieldKind.init) + [.row])
  }

  /// Reads the fields of an encoded record after the checks that a store makes.
  private func read(_ bytes: [UInt8], _ layout: RecordLayout) -> [FieldValue]? {
    bytes.withUnsafeBytes { bytes in
      guard RecordChecksum.matches(bytes, entity: EntityID(rawValue: 1), row: RowNumber(rawValue: 1)),
        RecordView.isWellFormed(bytes, layout)
      else { return nil }
      return layout.fields.indices.map { RecordView(bytes, layout).value($0) }
    }
  }

  @Test(arguments: AttributeType.allCases)
  func everyTypeRoundTrips(type: AttributeType) {
    var random = SplitMix64(seed: 1)
    let layout = layout([type])
    var builder = RecordBuilder(layout)
    for _ in 0..<200 {
      let value = random.value(of: type)
      builder.reset()
      let isSet = builder.set(0, value)
      #expect(isSet)
      #expect(builder.value(0) == value)
      #expect(read(builder.encoded(), layout) == [value, .null])
    }
  }

  @Test func randomRecordsRoundTripWhateverTheOrderOfSetting() {
    var random = SplitMix64(seed: 2)
    for _ in 0..<300 {
      let types = (0..<random.below(30)).compactMap { _ in random.pick(Self.types) }
      let layout = layout(types)
      let values: [FieldValue] =
        types.map { random.chance(25) ? .null : random.value(of: $0) } + [
          random.chance(30) ? .null : .uint(random.next())
        ]
      var reused = RecordBuilder(layout)
      for field in layout.fields.indices.shuffled(using: &random) {
        // Set to something else before, which must leave no trace.
        if field < types.count { reused.set(field, random.value(of: types[field])) }
        let isSet = reused.set(field, values[field])
        #expect(isSet)
      }
      var fresh = RecordBuilder(layout)
      for field in layout.fields.indices { fresh.set(field, values[field]) }
      #expect(reused.encoded() == fresh.encoded())
      #expect(read(fresh.encoded(), layout) == values)
    }
  }

  @Test func loadedRecordIsTheSameUntilAFieldIsSet() {
    var random = SplitMix64(seed: 3)
    let layout = layout(Self.types)
    for _ in 0..<200 {
      var builder = RecordBuilder(layout)
      for (field, type) in Self.types.enumerated() where random.chance(70) {
        builder.set(field, random.value(of: type))
      }
      let bytes = builder.encoded()
      var loaded = RecordBuilder(layout)
      loaded.set(0, .bool(true))
      bytes.withUnsafeBytes { loaded.load(RecordView($0, layout)) }
      #expect(loaded.encoded() == bytes)

      let field = random.below(Self.types.count)
      loaded.setNull(field)
      builder.setNull(field)
      #expect(loaded.isNull(field) == true)
      #expect(loaded.encoded() == builder.encoded())
    }
  }

  @Test func typedReadersAgreeWithTheGeneralOne() {
    let types: [AttributeType] = [
      .bool, .int8, .uint64, .float, .double, .decimal, .string, .date, .uuid, .url, .data, .composite,
    ]
    let layout = layout(types)
    var builder = RecordBuilder(layout)
    let uuid = UUID()
    builder.setBool(0, true)
    builder.setInt64(1, -5)
    builder.setUInt64(2, .max)
    builder.setFloat(3, 1.5)
    builder.setDouble(4, -2.25)
    builder.setDecimal(5, Decimal(sign: .minus, exponent: -3, significand: 12_345))
    builder.setString(6, "naïve")
    builder.setDate(7, 123.5)
    builder.setUUID(8, uuid)
    builder.setString(9, "https://example.com")
    builder.setData(10, Data([1, 2]))
    builder.setData(11, Data("[]".utf8))
    builder.setRow(12, RowNumber(rawValue: 77))
    builder.encoded().withUnsafeBytes { bytes in
      let record = RecordView(bytes, layout)
      #expect(record.bool(0))
      #expect(record.int64(1) == -5)
      #expect(record.uint64(2) == .max)
      #expect(record.float(3) == 1.5)
      #expect(record.double(4) == -2.25)
      #expect(record.decimal(5) == Decimal(sign: .minus, exponent: -3, significand: 12_345))
      #expect(record.string(6) == "naïve")
      #expect(record.utf8(6).count == 6)
      #expect(record.date(7) == 123.5)
      #expect(record.uuid(8) == uuid)
      #expect(record.string(9) == "https://example.com")
      #expect(record.data(10) == Data([1, 2]))
      #expect(record.data(11) == Data("[]".utf8))
      #expect(record.row(12) == RowNumber(rawValue: 77))
    }
    #expect(builder.row(12) == RowNumber(rawValue: 77))
  }

  @Test func equalContentIsEqualBytes() {
    let layout = layout([.double, .float, .decimal, .string])
    var first = RecordBuilder(layout)
    first.setDouble(0, .nan)
    first.setFloat(1, .nan)
    first.setDecimal(2, Decimal(sign: .plus, exponent: -2, significand: 100))
    first.setString(3, "")
    var second = RecordBuilder(layout)
    second.setDouble(0, -Double(nan: 99, signaling: false))
    second.setFloat(1, -Float.nan)
    second.setDecimal(2, Decimal(sign: .plus, exponent: 0, significand: 1))
    second.setString(3, "x")
    second.setString(3, "")
    #expect(first.encoded() == second.encoded())
    second.setNull(3)
    #expect(first.encoded() != second.encoded(), "an empty text is not null")
  }

  @Test(arguments: [
    (FieldValue.int(128), AttributeType.int8), (.int(-129), .int8), (.int(32_768), .int16), (.int(1 << 31), .int32),
    (.uint(256), .uint8), (.uint(65_536), .uint16), (.uint(1 << 32), .uint32), (.string("x"), .int64),
    (.int(1), .string),
    (.bool(true), .double), (.double(1), .date), (.data(Data()), .string), (.string(""), .url), (.url(""), .data),
    (.composite(Data()), .data), (.uint(1), .int64),
  ])
  func whatDoesNotFitIsRefusedAndChangesNothing(value: FieldValue, type: AttributeType) {
    var random = SplitMix64(seed: 4)
    var builder = RecordBuilder(layout([type]))
    let before = random.value(of: type)
    builder.set(0, before)
    let isSet = builder.set(0, value)
    #expect(!isSet)
    #expect(builder.value(0) == before)
  }

  @Test func checksumNamesTheRow() {
    let layout = layout([.int64])
    var builder = RecordBuilder(layout)
    builder.setInt64(0, 7)
    builder.encoded().withUnsafeBytes { bytes in
      #expect(RecordChecksum.matches(bytes, entity: EntityID(rawValue: 1), row: RowNumber(rawValue: 1)))
      #expect(!RecordChecksum.matches(bytes, entity: EntityID(rawValue: 1), row: RowNumber(rawValue: 2)))
      #expect(!RecordChecksum.matches(bytes, entity: EntityID(rawValue: 2), row: RowNumber(rawValue: 1)))
    }
  }

  @Test func ownedRecordKeepsItsBytes() {
    let layout = layout([.string])
    var builder = RecordBuilder(layout)
    builder.setString(0, "kept")
    let record = builder.encoded().withUnsafeBytes { Record(RecordView($0, layout)) }
    builder.setString(0, "other")
    let other = builder.encoded().withUnsafeBytes { Record(RecordView($0, layout)) }
    #expect(record.withView { $0.string(0) } == "kept")
    #expect(record != other)
  }

  @Test func patchedLinkIsTheRecordThatABuilderWouldMake() {
    let layout = layout([.string, .int64])
    let entity = EntityID(rawValue: 1)
    let row = RowNumber(rawValue: 1)
    var builder = RecordBuilder(layout)
    builder.setString(0, "text")
    for target in [RowNumber(rawValue: 9), RowNumber(rawValue: .max), nil] {
      var bytes = builder.encoded()
      RecordPatch.setRow(target, field: 2, in: &bytes, layout: layout, entity: entity, row: row)
      builder.setRow(2, target)
      #expect(bytes == builder.encoded())
    }
  }
}
