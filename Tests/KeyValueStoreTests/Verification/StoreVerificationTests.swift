import Glibc
import TestSupport
import Testing

@testable import KeyValueStore

@Suite("Verification of stores")
struct StoreVerificationTests {
  private let folder: TemporaryFolder
  private var path: String { folder["store"] }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func makeStore(_ name: String = "store", writes: Int = 3) throws {
    let environment = try Environment(at: folder[name])
    defer { environment.close() }
    let table = try environment.table("numbers")
    for number in 1...writes { try NumberedStore.write(number, to: environment, table) }
  }

  /// Copies a store that is open, as the end of its process would leave it.
  private func copyWhileOpen(_ environment: Environment, to name: String) throws {
    try SystemFiles().makeFolder(folder[name])
    // Not LMDB's lock file, which this process must not open, and which a new opening makes anew.
    for file in [StorePaths.data, StorePaths.checkpoint, StorePaths.writerLock] + StorePaths.segments {
      try TemporaryFolder.write(try TemporaryFolder.read(path + "/" + file), to: folder[name] + "/" + file)
    }
  }

  // MARK: - Sound stores

  @Test("an empty store, one that was closed, one that is open, and one in memory are sound")
  func soundStores() throws {
    try Environment(at: path).close()
    #expect(try Environment.verify(at: path).isSound)
    try makeStore()
    let report = try Environment.verify(at: path)
    #expect(report.problems == [] && report.notes == [])
    #expect(report.entries == ["numbers": NumberedStore.keyCount])
    #expect(report.pages.inTrees > 3 && report.pages.overflow >= 3 * 3)
    #expect(report.commitsInLog == 0)

    let environment = try Environment(at: path)
    try NumberedStore.write(9, to: environment, try environment.table("numbers"))
    let own = try environment.verify()
    #expect(own.problems == [] && own.notes == [])
    #expect(own.entries == report.entries && own.commitsInLog == 1 && own.logBytes > 9000)
    // The same from outside, as by another process.
    let open = try Environment.verify(at: path)
    #expect(open.problems == [] && open.notes == [.inUse])

    let temporary = try Environment.temporary()
    try NumberedStore.write(1, to: temporary, try temporary.table("numbers"))
    #expect(try temporary.verify().problems == [])
  }

  @Test("a store that was not closed is sound, and needs recovery")
  func unclosedStores() throws {
    let environment = try Environment(at: path)
    let table = try environment.table("numbers")
    for number in 1...12 { try NumberedStore.write(number, to: environment, table) }
    try copyWhileOpen(environment, to: "copy")
    let before = try folder.contents().filter { $0.key.hasPrefix(folder["copy"]) }
    let report = try Environment.verify(at: folder["copy"])
    #expect(report.problems == [])
    // The creation of the table is a commit too.
    #expect(report.notes == [.needsRecovery(commits: 13)])
    #expect(try folder.contents().filter { $0.key.hasPrefix(folder["copy"]) } == before)
    let copy = try Environment(at: folder["copy"])
    #expect(try NumberedStore.number(in: copy) == 12)
    copy.close()
    #expect(try Environment.verify(at: folder["copy"]).notes == [])
  }

  @Test("nothing is changed by looking, and other files are only counted")
  func changesNothing() throws {
    try makeStore()
    try TemporaryFolder.write([1], to: path + "/notes.txt")
    let before = try folder.contents()
    #expect(try Environment.verify(at: path).notes == [.otherFiles(count: 1)])
    #expect(try folder.contents() == before)
  }

  @Test("beside a writer every verification finds a sound store")
  func besideWriter() async throws {
    let environment = try Environment(at: path)
    let table = try environment.table("numbers")
    let path = path
    let isDone = Monitor(false)
    async let writing: Int = OtherThread.run {
      var number = 0
      while !isDone.withLock({ $0 }) {
        number += 1
        try NumberedStore.write(number, to: environment, table)
      }
      return number
    }
    for _ in 0..<5 {
      let report = try await OtherThread.run { try environment.verify() }
      #expect(report.problems == [])
      let other = try await OtherThread.run { try Environment.verify(at: path) }
      #expect(other.problems == [])
    }
    isDone.withLock { $0 = true }
    #expect(try await writing > 0)
  }

  @Test("whoever opens a store that is being verified waits until that is over")
  func openersWait() async throws {
    try makeStore(writes: 30)
    let path = path
    let state = Monitor((opened: false, asked: false))
    var openedMeanwhile = false
    _ = try Environment.verify(at: path) { _ in
      guard !state.withLock({ $0.asked }) else { return }
      OtherThread.start {
        state.withLock { $0.asked = true }
        let environment = try? Environment(at: path)
        state.withLock { $0.opened = environment != nil }
        state.wakeAll()
      }
      while !state.withLock({ $0.asked }) { sched_yield() }
      openedMeanwhile = state.withLock { $0.opened }
    }
    #expect(!openedMeanwhile)
    #expect(state.withLock(when: { $0.opened }) { $0.asked })
  }

  @Test("a verification ends when it is told to")
  func ends() throws {
    struct Enough: Error {}
    try makeStore()
    #expect(throws: Enough.self) { try Environment.verify(at: path) { _ in throw Enough() } }
    // Nothing is held any more.
    try Environment(at: path).close()
  }

  @Test("where there is no store there is nothing to verify")
  func noStores() throws {
    #expect(throws: StoreError.noSuchStore(path: path)) { try Environment.verify(at: path) }
    try SystemFiles().makeFolder(path)
    #expect(throws: StoreError.noSuchStore(path: path)) { try Environment.verify(at: path) }
    #expect(try SystemFiles().names(in: path).isEmpty)
    try TemporaryFolder.write([1], to: path + "/notes.txt")
    #expect(throws: StoreError.self) { try Environment.verify(at: path) }
  }
}
