import Records
import SyncEngine

/// How a row is shown by itself.
extension Row {
  /// A paragraph.
  func writeText(to output: StandardOutput) throws {
    try output.writeLine("\(entity.name) row \(number.rawValue)", .heading)
    var table = TextTable(indentation: 2)
    try forEachProperty { table.add([$0.name, try ValueText.text($1)]) }
    for line in table.lines { try output.writeLine(line) }
  }

  /// A line of JSON that says by itself what it is.
  func writeLine(to output: StandardOutput) throws {
    var json = JSONWriter()
    try json.write(self, naming: true)
    json.endLine()
    try json.drain { try output.write($0) }
  }
}

extension JSONWriter {
  /// A row as an object, with the name of its entity where it would not be known otherwise.
  mutating func write(_ row: Row, naming isNamed: Bool = false) throws {
    beginObject()
    if isNamed { writeMember("$entity", row.entity.name) }
    writeRowNumber(row.number)
    try writeMembers(of: row)
    endObject()
  }
}

/// The forms in which commands print rows that they have found.
enum RowFormat: String, CaseIterable, ArgumentValue {
  case text, json, ndjson
}

/// Prints rows one after the other: paragraphs, an array, or lines.
struct RowPrinter {
  private let format: RowFormat
  private let output: StandardOutput
  private var json = JSONWriter()

  init(_ format: RowFormat, to output: StandardOutput) {
    self.format = format
    self.output = output
    if format == .json { json.beginArray() }
  }

  mutating func print(_ row: Row) throws {
    switch format {
    case .text: try row.writeText(to: output)
    case .ndjson: try row.writeLine(to: output)
    case .json:
      json.startLine()
      try json.write(row, naming: true)
      try json.drain { try output.write($0) }
    }
  }

  mutating func finish() throws {
    guard format == .json else { return }
    json.endArray()
    json.endLine()
    try json.drain { try output.write($0) }
  }
}
