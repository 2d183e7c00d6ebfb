import TestSupport
import Testing

@testable import Records

/// Bytes that are not a record, or no longer the one that was written, are refused; whatever is accepted can be read without
/// leaving it. Reads are made through exactly sized memory, so that an address sanitizer sees any step outside.
@Suite struct RecordDamageTests {
  private let layouts = [
    RecordLayout(version: 1, kinds: []),
    RecordLayout(version: 1, kinds: [.string]),
    RecordLayout(version: 1, kinds: AttributeType.allCases.map(FieldKind.init) + [.row]),
    RecordLayout(version: 7, kinds: [.string, .bool, .data, .row, .decimal, .composite]),
  ]

  /// Reads every field if the bytes pass for a record; returns whether they did.
  private func readAll(_ bytes: [UInt8], _ layout: RecordLayout) -> Bool {
    let exact = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    defer { exact.deallocate() }
    exact.copyBytes(from: bytes)
    let view = UnsafeRawBufferPointer(exact)
    guard RecordView.isWellFormed(view, layout) else { return false }
    let record = RecordView(view, layout)
    for field in layout.fields.indices where layout.fields[field].kind.fixedByteCount == nil {
      let text = record.utf8(field)
      #expect(text.isEmpty || (text.startIndex >= 0 && text.count <= bytes.count))
    }
    for field in layout.fields.indices { _ = record.value(field) }
    return true
  }

  private func randomRecord(_ layout: RecordLayout, using random: inout SplitMix64) -> [UInt8] {
    var builder = RecordBuilder(layout)
    for (field, place) in layout.fields.enumerated() where random.chance(70) {
      switch place.kind {
      case .string, .url: builder.setString(field, random.text())
      case .data, .composite: builder.setData(field, random.data())
      case .row: builder.setRow(field, RowNumber(rawValue: random.next()))
      case .decimal: builder.setDecimal(field, random.decimal())
      default: builder.setInt64(field, Int64(random.below(100)))
      }
    }
    return builder.encoded()
  }

  @Test func randomBytesNeverLeadOutside() {
    var random = SplitMix64(seed: 1)
    for round in 0..<20_000 {
      let layout = layouts[round % layouts.count]
      let count = random.chance(50) ? random.below(40) : layout.recordByteCountMin + random.below(64)
      var bytes = (0..<count).map { _ in random.chance(60) ? 0 : UInt8(truncatingIfNeeded: random.next()) }
      if count >= 2 { bytes.replaceSubrange(0..<2, with: [UInt8(layout.version), 0]) }
      _ = readAll(bytes, layout)
    }
  }

  @Test func mutatedRecordsAreReadSafelyAndSeenByTheChecksum() {
    var random = SplitMix64(seed: 2)
    var acceptedByStructure = 0
    for round in 0..<20_000 {
      let layout = layouts[round % layouts.count]
      let original = randomRecord(layout, using: &random)
      var bytes = original
      switch random.below(4) {
      case 0: bytes[random.below(bytes.count)] ^= 1 << UInt8(random.below(8))
      case 1: bytes.removeLast(1 + random.below(bytes.count))
      case 2: bytes.append(UInt8(truncatingIfNeeded: random.next()))
      default:
        let position = random.below(bytes.count)
        for offset in position..<min(position + 4, bytes.count) {
          bytes[offset] = UInt8(truncatingIfNeeded: random.next())
        }
      }
      if readAll(bytes, layout) { acceptedByStructure += 1 }
      if bytes != original {
        #expect(
          bytes.withUnsafeBytes {
            !RecordChecksum.matches($0, entity: EntityID(rawValue: 1), row: RowNumber(rawValue: 1))
          })
      }
    }
    #expect(acceptedByStructure > 1000, "the mutations must reach the reading of fields, not only its refusal")
  }

  @Test func wellFormedMeansExactlySized() {
    var random = SplitMix64(seed: 3)
    for layout in layouts {
      let bytes = randomRecord(layout, using: &random)
      #expect(readAll(bytes, layout))
      #expect(!readAll(bytes + [0], layout))
      #expect(!readAll(Array(bytes.dropLast()), layout))
      #expect(!readAll([], layout))
    }
  }

  @Test func anotherLayoutVersionIsRefused() {
    let bytes = RecordBuilder(RecordLayout(version: 2, kinds: [.bool])).encoded()
    #expect(!readAll(bytes, RecordLayout(version: 1, kinds: [.bool])))
  }
}
