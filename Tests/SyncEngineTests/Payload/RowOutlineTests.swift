import Foundation
import Records
import TestSupport
import Testing

@testable import SyncEngine

/// Cutting a text into windows: every row is in one of them, whatever stands in its strings, and none is much larger than it is to be.
@Suite struct RowOutlineTests {
  /// Rows with what looks like the end of one, and with characters and escapes to be cut in.
  private static let rows = [
    #"{"id":1}"#, #"{"a":"},{","b":[{"c":"]"}]}"#, #"{"a":"\"},{\"","b":"\\"}"#, #"{"a":"\\\"","b":"[[[[{{{{"}"#,
    #"{"a":"äöü 日本語 🚀🚀🚀","b":{}}"#, #"{"a":[1,-2.5e3,true,null,"x\u0041"]}"#, "{}",
    #"{"long":"\#(String(repeating: "é,}]\\\"", count: 40))"}"#,
  ]

  /// The texts of all rows, by window.
  private func windows(_ source: RowSource) throws -> [[String]] {
    try source.outline.windows.map { window in
      let parsed = try source.read(window, RowReading(digestContext: RowDigest(high: 0, low: 0, shownMembers: 0)))
      #expect(parsed.digests.count == window.rowCount)
      return (0..<window.rowCount).map { String(decoding: parsed.text(ofRow: $0), as: UTF8.self) }
    }
  }

  private func source(_ text: String, _ format: PayloadFormat, at path: String = "", windowBytes: Int) throws
    -> RowSource
  {
    let document = try PayloadDocument(
      .array(Array(text.utf8)), format, rowsAt: PayloadPath(path), windowBytes: windowBytes)
    return try document.readRows { _, source in try #require(source) }
  }

  @Test(arguments: 1...60, ["", " ", "\r\n\t"])
  func arraysLinesAndEnvelopes(_ windowBytes: Int, _ space: String) throws {
    var random = SplitMix64(seed: UInt64(windowBytes))
    let rows = Self.rows.shuffled(using: &random)
    let longest = rows.map(\.utf8.count).max() ?? 0
    let list = "[" + space + rows.joined(separator: space + "," + space) + space + "]"
    for source in [
      try source(space + list + space, .json, windowBytes: windowBytes),
      try source("\u{FEFF}" + list, .json, windowBytes: windowBytes),
      try source(#"{"a":[1],"b":{"c":\#(list)},"d":"x"}"#, .json, at: "b.c", windowBytes: windowBytes),
      try source(rows.joined(separator: "\n" + space + "\n"), .ndjson, windowBytes: windowBytes),
      try source("\u{FEFF}" + rows.joined(separator: "\n") + "\n", .ndjson, windowBytes: windowBytes),
    ] {
      #expect(try windows(source).flatMap { $0 } == rows)
      #expect(source.outline.rowCount == rows.count)
      // A window has more rows than one only where they fit together.
      #expect(source.outline.windows.allSatisfy { $0.text.count <= 2 * (windowBytes + longest + 8) })
      #expect(try windows(RowSource(text: source.text, outline: source.outline.merged)) == [rows])
    }
  }

  @Test(
    "What isn't an array of objects is looked at as a whole",
    arguments: [
      "[1]", "[{}", "[{},]", "[{}]]", "[{}] 1", "[{}{}]", "[{},[]]", "{}", "", " ", "7", #"[{"a":"x]"#, "[{}}",
    ])
  func otherTexts(_ text: String) {
    for windowBytes in 1...8 {
      #expect(RowOutline(array: .array(Array(text.utf8)), windowBytes: windowBytes) == nil)
    }
  }

  @Test func emptyArrays() throws {
    for text in ["[]", " [ ] ", "[\n]"] {
      #expect(try source(text, .json, windowBytes: 1).outline.rowCount == 0)
    }
    #expect(try source("\n \n", .ndjson, windowBytes: 1).outline.rowCount == 0)
  }

  @Test("However long a text is, a few windows of it are in memory")
  func windowsGo() throws {
    let rows = (0..<5000).map { #"{"id":\#($0),"name":"\#(String(repeating: "x", count: $0 % 90))"}"# }
    let source = try source("[\(rows.joined(separator: ","))]", .json, windowBytes: 4096)
    #expect(source.outline.windows.count > 40)
    #expect(source.outline.windows.allSatisfy { $0.text.count <= 4096 })
    var feed = WindowFeed(source, RowReading())
    var firstRow = 0
    weak var last: ParsedWindow?
    while let window = try feed.next() {
      #expect(last == nil, "The window before is gone.")
      #expect(window.window.firstRow == firstRow)
      firstRow += window.window.rowCount
      last = window
    }
    #expect(firstRow == rows.count)
  }

  @Test("A mapped file has the same text after its memory was given back")
  func mappedFiles() throws {
    let folder = try TemporaryFolder()
    let text = String(repeating: #"{"id":1,"name":"Ä"}"#, count: 4000)
    let file = URL(fileURLWithPath: folder.path + "/rows")
    try Data(text.utf8).write(to: file)
    let handle = try FileHandle(forReadingFrom: file)
    let mapped = try #require(MappedText(file: handle.fileDescriptor))
    let payload = PayloadText.mapped(mapped)
    for range in [0..<text.utf8.count, 1..<2, 4000..<4100, 4097..<70000] {
      payload.release(range)
      #expect(payload.withBytes { String(decoding: $0, as: UTF8.self) } == text)
    }
    let empty = URL(fileURLWithPath: folder.path + "/empty")
    try Data().write(to: empty)
    #expect(MappedText(file: try FileHandle(forReadingFrom: empty).fileDescriptor) == nil)
  }
}
