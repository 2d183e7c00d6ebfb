import TestSupport
import Testing

@testable import KeyValueStore

@Suite("Documentation")
struct DocumentationTests {
  @Test("the examples of the page on the store are the ones that are compiled here, and work")
  func keepsExamples() async throws {
    let folder = try TemporaryFolder()
    #expect(try await keepNotes(at: folder["notes"]) == ["milk", "bread"])
    #expect(try await count(300, at: folder["clicks"]) == 257)
    _ = try follow("shopping/1", at: folder["notes"])
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
    let page = String(decoding: try TemporaryFolder.read(root + "/docs/key-value-store.md"), as: UTF8.self)
    for example in ["DocumentationExample", "DocumentationSettingsExample", "DocumentationWatchingExample"] {
      let code = String(
        decoding: try TemporaryFolder.read(#filePath.replacing("DocumentationTests", with: example)), as: UTF8.self)
      #expect(page.contains("```swift\n" + code + "```\n"))
    }
  }

  @Test("every error is a sentence with what it is about")
  func describesErrors() {
    let path = "/some/store"
    let sentences: [(StoreError, [String])] = [
      (.notADirectory(path: path), [path]),
      (.notAStore(path: path, reason: "it is a boat"), [path, "boat"]),
      (.damaged(path: path, reason: "it leaks"), [path, "leaks"]),
      (.newerFormat(path: path, found: 7, supported: 1), [path, "7", "1"]),
      (.noSuchStore(path: path), [path]),
      (.lockedByAnotherProcess(path: path, processID: 42, processName: "app"), [path, "42", "app"]),
      (.lockedByAnotherProcess(path: path, processID: 42, processName: nil), [path, "42"]),
      (.lockedByAnotherProcess(path: path, processID: nil, processName: nil), [path]),
      (.folderNotEmpty(path: path), [path]),
      (.insideOfStore(path: path), [path]),
      (.onNetwork(path: path), [path]),
      (.openForReadingOnly(path: path), [path]),
      (.notWritable(path: path), [path]),
      (.diskFull(path: path), [path]),
      (.system(operation: "Opening", path: path, errno: 5), [path, "Opening", "Input/output error", "5"]),
      (.engine(operation: "Reading", path: path, code: -30798), [path, "Reading", "MDB_NOTFOUND"]),
      (.outcomeUnknown(path: path, errno: 5), [path, "Input/output error"]),
      (.mustReopen(path: path, cause: .removed), [path, "removed"]),
      (.mustReopen(path: path, cause: .engine), [path, "LMDB"]),
      (.mustReopen(path: path, cause: .mapLost), [path, "address space"]),
      (
        .mustReopen(path: path, cause: .failedCall(operation: "Syncing", path: path + "/wal.0", errno: 5)),
        [path, "Syncing", "wal.0", "Input/output error"]
      ),
      (.needsRecovery(path: path), [path]),
      (.failedSync(path: path), [path]),
      (.tooManyTables(limit: 3), ["3"]),
      (.tooManyReaders(limit: 3), ["3"]),
      (.transactionTooLarge, ["transaction"]),
      (.emptyKey, ["key"]),
      (.keyTooLong(byteCount: 9, max: 8), ["9", "8"]),
      (.valueSizeInvalid(byteCount: 9, max: 8), ["9", "8"]),
      (.keyCollision(table: "t"), ["'t'"]),
      (.snapshotBlocksGrowth(path: path), [path]),
      (.noSuchTable(name: "t"), ["'t'"]),
      (.invalidTableName(name: "t", reason: "it is odd"), ["'t'", "odd"]),
      (.tableOfAnotherEnvironment(name: "t"), ["'t'"]),
      (.tableOpenedAfterSnapshot(name: "t"), ["'t'"]),
      (.transactionEnded, ["closure"]),
      (.cursorNotPositioned, ["cursor"]),
      (.closed(path: path), [path]),
      (.forked(path: path), [path]),
      (.nestedTransactionOpen, ["nested"]),
      (.snapshotInsideWrite, ["snapshot"]),
      (.writeInsideWrite, ["write"]),
      (.readOnly(path: path), [path]),
    ]
    for (error, words) in sentences {
      let sentence = "\(error)"
      #expect(sentence.hasSuffix("."))
      for word in words { #expect(sentence.contains(word), "\(sentence)") }
    }
  }

  @Test("identifiers are 16 bytes and 32 digits, and come back from their bytes")
  func readsIdentifiers() throws {
    let bytes: [UInt8] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0xBB, 0xCC, 0xDD, 0xEE, 0xFF]
    let identifier = try #require(StoreIdentifier(bytes: bytes))
    #expect(identifier.bytes == bytes)
    #expect(identifier.description == "000102030405060708090abbccddeeff")
    #expect(StoreIdentifier(bytes: bytes.dropLast()) == nil)
    #expect(StoreIdentifier(bytes: bytes + [0]) == nil)
    #expect(StoreIdentifier() != StoreIdentifier())
  }
}
