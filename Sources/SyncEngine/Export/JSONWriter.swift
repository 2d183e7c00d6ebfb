import FoundationEssentials

/// Writes JSON text without building values first.
///
/// Commas are the writer's business; that brackets match and that every member has a key is the caller's. Equal calls make
/// equal bytes: no white space, no locale, the shortest text that reads back as the same number.
///
/// To stream, call `drain` now and then: it hands over what there is once it is worth a write.
package struct JSONWriter: Sendable {
  /// What was written and not drained yet.
  package internal(set) var bytes: [UInt8] = []
  /// Whether a comma has to stand in front of the next key or value.
  private var needsComma = false
  /// Whether an object of a payload had a key more than once, of which the last was written.
  private(set) var hasLeftOutMembers = false

  package init() {}

  /// Hands the bytes to a sink when there are at least `threshold` of them, and forgets them.
  ///
  /// - Throws: What the sink throws.
  package mutating func drain(
    atLeast threshold: Int = 1, into sink: (UnsafeRawBufferPointer) throws -> Void
  ) rethrows {
    guard bytes.count >= threshold else { return }
    try bytes.withUnsafeBytes(sink)
    bytes.removeAll(keepingCapacity: true)
  }

  // MARK: Structure

  package mutating func beginObject() { begin(UInt8(ascii: "{")) }
  package mutating func endObject() { end(UInt8(ascii: "}")) }
  package mutating func beginArray() { begin(UInt8(ascii: "[")) }
  package mutating func endArray() { end(UInt8(ascii: "]")) }

  package mutating func writeKey(_ key: String) {
    writeString(key)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Writes a key that `encodedKey(_:)` has made ready, because it is written again and again.
  package mutating func writeKey(encoded key: [UInt8]) {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    bytes.append(contentsOf: key)
    needsComma = false
  }

  /// A key as it stands in the text, with the colon behind it.
  package static func encodedKey(_ key: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.writeKey(key)
    return writer.bytes
  }

  /// Begins a new line in front of a key or a value.
  package mutating func startLine() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    endLine()
  }

  /// Ends the line behind a finished document.
  package mutating func endLine() {
    bytes.append(UInt8(ascii: "\n"))
    needsComma = false
  }

  // MARK: Values

  package mutating func writeNull() { writeText("null") }

  package mutating func write(_ value: Bool) { writeText(value ? "true" : "false") }

  package mutating func write(_ value: some BinaryInteger) { writeText(value.description) }

  package mutating func write(_ value: Int64) {
    beginValue()
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    append(value.magnitude)
  }

  package mutating func write(_ value: UInt64) {
    beginValue()
    append(value)
  }

  /// A number; JSON has none for NaN and the infinities, so these become the strings `NaN`, `Infinity` and `-Infinity`.
  package mutating func write(_ value: Double) {
    writeNumber(value.description, isFinite: value.isFinite, isNaN: value.isNaN, isNegative: value < 0)
  }

  /// A number, as for `Double`, in the shortest text for a `Float`.
  package mutating func write(_ value: Float) {
    writeNumber(value.description, isFinite: value.isFinite, isNaN: value.isNaN, isNegative: value < 0)
  }

  /// A number with all its digits.
  package mutating func write(_ value: Decimal) {
    writeNumber(value.description, isFinite: !value.isNaN, isNaN: value.isNaN, isNegative: false)
  }

  package mutating func writeString(_ value: String) {
    var value = value
    value.withUTF8 { writeString(utf8: UnsafeRawBufferPointer($0)) }
  }

  package mutating func writeString(utf8: UnsafeRawBufferPointer) {
    beginValue()
    bytes.append(UInt8(ascii: "\""))
    appendEscaped(utf8)
    bytes.append(UInt8(ascii: "\""))
  }

  /// A UUID as its text in capitals.
  package mutating func write(_ value: UUID) {
    beginValue()
    bytes.append(UInt8(ascii: "\""))
    withUnsafeBytes(of: value.uuid) { append($0) }
    bytes.append(UInt8(ascii: "\""))
  }

  /// A date, given as seconds since the reference date, as the text that `DateFormat` makes.
  package mutating func writeDate(_ seconds: Double) {
    beginValue()
    bytes.append(UInt8(ascii: "\""))
    appendDate(seconds)
    bytes.append(UInt8(ascii: "\""))
  }

  /// Data as base64.
  package mutating func writeData(_ data: UnsafeRawBufferPointer) {
    beginValue()
    bytes.append(UInt8(ascii: "\""))
    appendBase64(data)
    bytes.append(UInt8(ascii: "\""))
  }

  /// A value that is JSON text already.
  package mutating func writeJSON(_ text: UnsafeRawBufferPointer) {
    beginValue()
    bytes.append(contentsOf: text)
  }

  // MARK: Parts

  private mutating func writeText(_ text: String) {
    beginValue()
    bytes.append(contentsOf: text.utf8)
  }

  private mutating func writeNumber(_ text: String, isFinite: Bool, isNaN: Bool, isNegative: Bool) {
    if isFinite { return writeText(text) }
    writeString(isNaN ? "NaN" : isNegative ? "-Infinity" : "Infinity")
  }

  private mutating func begin(_ bracket: UInt8) {
    beginValue()
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func end(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  private mutating func beginValue() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  private static let base64Digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  private mutating func appendBase64(_ data: UnsafeRawBufferPointer) {
    for start in stride(from: 0, to: data.count, by: 3) {
      let byteCount = min(3, data.count - start)
      var group: UInt32 = 0
      for offset in 0..<3 { group = group << 8 | (offset < byteCount ? UInt32(data[start + offset]) : 0) }
      for place in 0..<4 {
        let digit = Self.base64Digits[Int(group >> UInt32(18 - 6 * place) & 0x3F)]
        bytes.append(place <= byteCount ? digit : UInt8(ascii: "="))
      }
    }
  }
}

extension JSONWriter {
  /// A payload value as canonical JSON: members sorted by the bytes of their keys, of equal keys only the last.
  package mutating func write(_ value: PayloadValue) {
    switch value.kind {
    case .null: writeNull()
    case .bool: write(value.isTrue)
    case .integer, .real, .decimal: writeJSON(UnsafeRawBufferPointer(value.bytes))
    case .nativeReal:
      if let number = NumberText.double(value.bytes) { write(number) } else { writeNull() }
    case .string, .url: writeString(utf8: UnsafeRawBufferPointer(value.bytes))
    case .data: writeData(UnsafeRawBufferPointer(value.bytes))
    case .date: writeDate(value.dateSeconds)
    case .uuid:
      if let uuid = Coercion.uuid(value) { write(uuid) } else { writeNull() }
    case .array:
      beginArray()
      for element in value.elements { write(element) }
      endArray()
    case .object:
      beginObject()
      let members = value.members.sorted { left, right in
        let order = left.key.bytes.compare(to: right.key.bytes)
        return order < 0 || (order == 0 && left.key.index < right.key.index)
      }
      for (place, member) in members.enumerated() {
        let isRepeated = place + 1 < members.count && members[place + 1].key.bytes.isEqual(to: member.key.bytes)
        if isRepeated {
          hasLeftOutMembers = true
          continue
        }
        writeString(utf8: UnsafeRawBufferPointer(member.key.bytes))
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
        write(member.value)
      }
      endObject()
    }
  }
}
