import Foundation
import SwiftSync
import Testing

@Suite("The page on the change stream", .timeLimit(.minutes(20)))
struct AuditTests {
  /// A log that closes the store when it has the token that it was made for.
  private final class MemoryLog: AuditLog {
    var lines: [String] = []
    private var token: DefaultHistoryToken?
    private let last: Int64
    private let container: ModelContainer

    init(_ container: ModelContainer, after token: DefaultHistoryToken?, until last: Int64) {
      self.container = container
      self.token = token
      self.last = last
    }

    func lastToken() -> DefaultHistoryToken? { token }

    func note(_ rows: RowChanges, of commit: CommittedChanges) {
      lines.append("\(commit.author ?? "") \(rows.modelName) +\(rows.inserted.count)")
    }

    func noteGap(_ reason: ResynchronizationReason) { lines.append("\(reason)") }

    func keep(_ token: DefaultHistoryToken?) {
      self.token = token
      if token?.number == last { container.close() }
    }
  }

  @Test("its example is the one that is compiled here, and works")
  func example() async throws {
    let container = try memoContainer()
    try container.commit(2, author: "pen")
    let begin = try #require(try ModelContext(container).fetchHistory().first?.token)
    try container.commit(1)
    let log = MemoryLog(container, after: begin, until: 3)
    try await audit(container, into: log)
    #expect(log.lines == ["pen Folder +1", " Folder +1"])

    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/")
    let page = try String(contentsOfFile: root + "/docs/change-stream.md", encoding: .utf8)
    let code = try String(
      contentsOfFile: #filePath.replacingOccurrences(of: "AuditTests", with: "AuditExample"), encoding: .utf8)
    #expect(page.contains("```swift\n" + code + "```\n"))
  }
}
