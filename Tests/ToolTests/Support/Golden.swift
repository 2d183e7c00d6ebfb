import FoundationEssentials
import Testing

/// Expected outputs, kept as files beside the tests.
enum Golden {
  /// Compares a text with the file of that name, line by line, so that a failure shows the first line that differs.
  static func expect(_ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let file = folder.appending(path: "Golden").appending(path: name)
    let expected = try String(decoding: Data(contentsOf: file), as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let expectedLines = expected.split(separator: "\n", omittingEmptySubsequences: false)
    for (line, expectedLine) in zip(lines, expectedLines) {
      try #require(line == expectedLine, "in \(name)", sourceLocation: sourceLocation)
    }
    #expect(lines.count == expectedLines.count, "in \(name)", sourceLocation: sourceLocation)
  }
}
