import KeyValueStore
import SyncEngine

/// The commits of a log in the forms of `swiftsync log`.
struct LogDocument {
  /// How many bytes of a key are shown in a text.
  private static let keyByteCountMax = 24

  private let format: RowFormat
  private let output: StandardOutput
  private var json = JSONWriter()

  init(_ format: RowFormat, to output: StandardOutput) {
    self.format = format
    self.output = output
    if format == .json {
      json.beginObject()
      json.writeKey("commits")
      json.beginArray()
    }
  }

  mutating func write(_ commit: LoggedCommit, _ operations: LogOperations) throws {
    guard format == .text else { return try writeJSON(commit, operations) }
    try output.writeLine("Commit \(commit.number)  \(commit.file) at \(commit.offset), \(commit.byteCount) bytes")
    try forEachChange(operations, of: commit) { kind, table, key, value in
      let shown = key.map { "  " + Self.hex($0.prefix(Self.keyByteCountMax)) } ?? ""
      let rest = key.map { $0.count > Self.keyByteCountMax } == true ? "…" : ""
      try output.writeLine(
        "  \(kind)\(table.map { " \($0)" } ?? "")\(shown)\(rest)\(value.map { "  \($0) bytes" } ?? "")")
    }
  }

  private mutating func writeJSON(_ commit: LoggedCommit, _ operations: LogOperations) throws {
    if format == .json { json.startLine() }
    json.beginObject()
    json.writeMember("commit", commit.number)
    json.writeMember("file", commit.file)
    json.writeMember("offset", commit.offset)
    json.writeMember("bytes", commit.byteCount)
    json.writeMember("durable", commit.durable)
    json.writeKey("changes")
    json.beginArray()
    try forEachChange(operations, of: commit) { kind, table, key, value in
      json.beginObject()
      json.writeMember("kind", kind)
      json.writeMember("table", table)
      json.writeMember("key", key.map { Self.hex($0[...]) })
      if let value { json.writeMember("valueBytes", value) }
      json.endObject()
    }
    json.endArray()
    json.endObject()
    if format == .ndjson { json.endLine() }
    try json.drain { try output.write($0) }
  }

  /// Says where the log ends, and why there.
  mutating func finish(_ outline: LogOutline, commits count: Int) throws {
    switch format {
    case .ndjson: return
    case .json:
      json.endArray()
      json.startLine()
      json.writeMember("count", count)
      json.writeMember("checkpoint", outline.checkpoint)
      json.writeMember("checkpointCommit", outline.checkpointCommit)
      json.writeKey("isClosed")
      json.write(outline.isClosed)
      json.writeMember("endFile", outline.endFile)
      json.writeMember("endOffset", outline.endOffset)
      json.endObject()
      json.endLine()
      try json.drain { try output.write($0) }
    case .text:
      let closed = outline.isClosed ? ", with which the store was closed" : ""
      try output.writeLine(
        "\(count) commit\(count == 1 ? "" : "s") behind checkpoint \(outline.checkpoint), which has all up to "
          + "\(outline.checkpointCommit)\(closed). The log ends in \(outline.endFile) at \(outline.endOffset).")
      if outline.isOvertaken { try output.writeLine("A checkpoint was made meanwhile; there may be later commits.") }
    }
  }

  private func forEachChange(
    _ operations: LogOperations, of commit: LoggedCommit,
    _ body: (_ kind: String, _ table: String?, _ key: UnsafeRawBufferPointer?, _ valueByteCount: Int?) throws -> Void
  ) throws {
    var operations = operations
    var names: [String] = []
    do {
      while let operation = try operations.next() {
        switch operation {
        case .table(let name): names.append(name)
        case .create(let table): try body("create", names[table], nil, nil)
        case .put(let table, let key, let value): try body("put", names[table], key, value.count)
        case .delete(let table, let key): try body("delete", names[table], key, nil)
        case .clear(let table): try body("clear", names[table], nil, nil)
        case .bulk: try body("bulk, whose changes went around the log", nil, nil, nil)
        }
      }
    } catch let error as LogOperations.Unreadable {
      throw UnreadableCommit(number: commit.number, offset: commit.offset + error.offset, file: commit.file)
    }
  }

  private static func hex(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}

/// A commit whose checksum is right, and whose bytes are no changes.
struct UnreadableCommit: Error, Equatable, CustomStringConvertible {
  let number: UInt64
  let offset: Int
  let file: String

  var description: String { "Commit \(number) is not readable: \(file) has at \(offset) what is no change." }
}
