import Foundation
import SwiftSync
import Testing

/// Text that arrives in pieces: one atomic sync, or none, and no file stays behind.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct SyncChunkTests {
  private struct Broken: Error {}

  /// How many temporary files of this process exist or are open. Tests beside these may have some for a moment.
  private func spools() throws -> Int {
    let folder = FileManager.default.temporaryDirectory.path
    let named = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix("payload-") }
    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
      .compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
      .filter { $0.contains("/payload-") }
    return named.count + open.count
  }

  @Test("A sequence that throws, early or late: its error comes out, and nothing is written", arguments: [0, 1, 5])
  func failingSequences(_ count: Int) async throws {
    let container = try SyncContainer.archive()
    let chunks = AsyncThrowingStream<[UInt8], any Error> { continuation in
      for _ in 0..<count { continuation.yield(Array("[".utf8)) }
      continuation.finish(throwing: Broken())
    }
    await #expect(throws: Broken.self) { try await container.sync(chunks: chunks, as: Dossier.self) }
    #expect(try container.dossiers().count == 3)
    while try spools() > 0 { await _Concurrency.Task.yield() }
  }

  @Test("A task that is cancelled while it waits for a chunk, or between two")
  func cancellation() async throws {
    let container = try SyncContainer.archive()
    let (chunks, continuation) = AsyncStream<[UInt8]>.makeStream()
    continuation.yield(Array("[]".utf8))
    let task = _Concurrency.Task { try await container.sync(chunks: chunks, as: Dossier.self) }
    while try spools() == 0 { await _Concurrency.Task.yield() }
    task.cancel()
    await #expect(throws: SyncError.cancelled) { try await task.value }
    #expect(try container.dossiers().count == 3)
    while try spools() > 0 { await _Concurrency.Task.yield() }
  }

  @Test("A cut-off download is malformed text, and no file stays after a success either")
  func ends() async throws {
    let container = try SyncContainer.archive()
    for text in ["", "[", #"[{"id":1},"#] {
      let chunks = AsyncStream { continuation in
        continuation.yield(Data(text.utf8))
        continuation.finish()
      }
      await #expect(throws: SyncError.self, "\(text)") { try await container.sync(chunks: chunks, as: Dossier.self) }
    }
    let empty = AsyncStream<Data> { $0.finish() }
    try await container.sync(chunks: empty, as: Dossier.self, format: .ndjson, missing: .keep)
    #expect(try container.dossiers().count == 3)
    while try spools() > 0 { await _Concurrency.Task.yield() }
  }

  @Test("Many rows in chunks that end anywhere, also inside of a character")
  func manyChunks() async throws {
    let container = try SyncContainer.archive()
    let rows = (0..<20_000).map { #"{"id":\#($0),"title":"Ünïcødé \#($0)","pages":1}"# }
    let text = Array("[\(rows.joined(separator: ","))]".utf8)
    let chunks = AsyncStream<ArraySlice<UInt8>> { continuation in
      var rest = text[...]
      while !rest.isEmpty {
        continuation.yield(rest.prefix(4093))
        rest = rest.dropFirst(4093)
      }
      continuation.finish()
    }
    let report = try await container.sync(chunks: chunks, as: Dossier.self)
    #expect(report.entities["Dossier"]?.inserted == 19_997)
    #expect(try container.dossiers()[12_345] == "12345 Ünïcødé 12345 1 -")
  }
}
