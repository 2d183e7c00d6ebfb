import Foundation
import Synchronization
import TestSupport
import Testing

@testable import KeyValueStore

@Suite("Moving a store aside: whole, by nobody else's leave, and nothing that is no store")
struct MovingTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func makeStore(_ name: String) throws -> String {
    let path = folder[name]
    let environment = try Environment(at: path)
    let table = try environment.table("t")
    try environment.write { try $0.put([1], for: [2], in: table) }
    environment.close()
    return path
  }

  @Test("the folder gets the first free name, and a new store takes its place")
  func namesAreCounted() throws {
    let path = try makeStore("a.store")
    #expect(try Environment.moveAside(path + "/") == path + ".damaged-1")
    #expect(throws: StoreError.noSuchStore(path: path)) { try Environment.moveAside(path) }
    _ = try makeStore("a.store")
    #expect(try Environment.moveAside(path) == path + ".damaged-2")
    let moved = try Environment(at: path + ".damaged-1")
    let table = try moved.table("t")
    #expect(try moved.read { try $0.value(for: [2], in: table) } == [1])
  }

  @Test("a store that is open stays, and works on")
  func openStoresStay() throws {
    let path = try makeStore("b.store")
    let environment = try Environment(at: path)
    #expect(throws: StoreError.inUse(path: path)) { try Environment.moveAside(path) }
    let table = try environment.table("t")
    try environment.write { try $0.put([3], for: [4], in: table) }
    environment.close()
    #expect(try Environment.moveAside(path) == path + ".damaged-1")
  }

  @Test("a store that another process reads or writes stays", arguments: [WriterHold.writer, .reader])
  func lockedStoresStay(_ hold: WriterHold) throws {
    let path = try makeStore("c.store")
    try hold.whileHeld(path) {
      #expect { try Environment.moveAside(path) } throws: { error in
        switch error as? StoreError {
        case .inUse, .lockedByAnotherProcess: true
        default: false
        }
      }
    }
    #expect(try Environment.moveAside(path) == path + ".damaged-1")
  }

  /// The lock that another process would have: locks of files belong to openings, so an opening of one's own is as good.
  enum WriterHold: CustomTestStringConvertible {
    case writer, reader

    var testDescription: String { self == .writer ? "writes" : "reads" }

    func whileHeld(_ path: String, _ body: () -> Void) throws {
      let files = SystemFiles()
      let file = try files.open(path + "/store.lock", for: .creating)
      let byte = self == .writer ? 1 : Presence.presenceByte
      let isHeld = try files.lock(file, byte: byte, self == .writer ? .exclusive : .shared)
      #expect(isHeld)
      body()
      try files.unlock(file, byte: byte)
    }
  }

  @Test("what is no store, or has something else in it, is not touched")
  func foreignFoldersStay() throws {
    let file = folder["file"]
    try TemporaryFolder.write([1], to: file)
    #expect(throws: StoreError.notADirectory(path: file)) { try Environment.moveAside(file) }

    let path = try makeStore("d.store")
    try TemporaryFolder.write([1], to: path + "/notes.txt")
    #expect(throws: StoreError.notAStore(path: path, reason: "it has 'notes.txt' in it")) {
      try Environment.moveAside(path)
    }
    #expect(FileManager.default.fileExists(atPath: path + "/notes.txt"))
  }

  @Test("an opening that finds the folder moved says so instead of using it")
  func lateOpenersAreTold() throws {
    let path = try makeStore("e.store")
    let locks = Mutex(0)
    let files = FaultyFiles { (_, operation, _) throws(FileError) in
      guard operation == .lock else { return }
      // The first lock is the writer's; with the second the opening has both files, and waits for whoever moves the store.
      let isSecond = locks.withLock { count in
        count += 1
        return count == 2
      }
      if isSecond { try SystemFiles().rename(path, to: path + ".gone") }
    }
    #expect(throws: StoreError.inUse(path: path)) { try Environment(at: path, files: files) }
    #expect(!FileManager.default.fileExists(atPath: path))
    try Environment(at: path + ".gone").close()
  }
}
