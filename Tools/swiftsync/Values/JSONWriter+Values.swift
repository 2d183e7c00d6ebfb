import FoundationEssentials
import Records
import SyncEngine

extension JSONWriter {
  /// The value of an attribute. docs/command-line.md describes the form of each type.
  mutating func write(_ value: FieldValue) throws {
    switch value {
    // The reader has followed every reference.
    case .null, .external: writeNull()
    case .bool(let value): write(value)
    case .int(let value): write(value)
    case .uint(let value): write(value)
    case .float(let value): write(value)
    case .double(let value): write(value)
    case .decimal(let value): write(value)
    case .string(let text), .url(let text): writeString(text)
    case .uuid(let value): write(value)
    case .date(let date):
      let seconds = date.timeIntervalSinceReferenceDate
      if let text = ExactDate.text(seconds) { writeString(text) } else { write(seconds) }
    case .data(let data): data.withUnsafeBytes { writeData($0) }
    case .composite(let json):
      // Encoders are free in the order of keys, so the text is written anew.
      try PayloadDocument(json: json).read { write($0) }
    }
  }
}
