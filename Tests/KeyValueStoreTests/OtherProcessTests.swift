import Glibc
import TestSupport
import Testing

@testable import KeyValueStore

/// What other processes see and leave behind. The bodies of `processExitsWith` run in a process of their own.
@Suite("Other processes")
struct OtherProcessTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder["store"]
  }

  @Test("a second writer is told who the first one is, and readers are let in")
  func locksOutWriters() async throws {
    let environment = try Environment(at: path)
    let table = try environment.table("t")
    try await environment.write { try $0.put([7], for: [1], in: table) }
    let (path, writer) = (path, getpid())
    await #expect(processExitsWith: .success) { [path = path as String, writer = writer as Int32] in
      do {
        _ = try Environment(at: path)
        Issue.record("the store was opened twice for writing")
      } catch StoreError.lockedByAnotherProcess(path, let processID, let processName) {
        #expect(processID == writer)
        #expect(processName?.isEmpty == false)
      }
      let reading = try Environment(at: path, options: .init(access: .readOnly))
      let table = try reading.table("t")
      #expect(try reading.read { try $0.value(for: [1], in: table) } == [7])
    }
    environment.close()
    await #expect(processExitsWith: .success) { [path = path as String] in
      let environment = try Environment(at: path)
      let table = try environment.table("t")
      try await environment.write { try $0.put([8], for: [1], in: table) }
    }
    let reading = try Environment(at: path, options: .init(access: .readOnly))
    #expect(try reading.read { try $0.value(for: [1], in: reading.table("t")) } == [8])
  }

  @Test(
    "a lock file that does not say who holds the lock still says that somebody does",
    arguments: ["", "\n7 x\n", "x y\n", "12"])
  func namesUnknownHolder(content: String) throws {
    let files = SystemFiles()
    try files.makeFolder(path)
    let lock = try files.open(path + "/store.lock", for: .creating)
    #expect(try files.lock(lock, byte: 1, .exclusive))
    try files.write(Array(content.utf8), to: lock, at: 0)
    #expect(
      throws: StoreError.lockedByAnotherProcess(
        path: path, processID: Int32(content), processName: content == "x y\n" ? "y" : nil)
    ) {
      try Environment(at: path)
    }
    #expect(try files.names(in: path) == ["store.lock"])
  }

  @Test("a child process that has inherited the lock file does not keep the lock")
  func unlocksForChildren() throws {
    let environment = try Environment(at: path)
    // What a child has between its start and its program's: another descriptor of the same opening of the file.
    let descriptors = try SystemFiles().names(in: "/proc/self/fd").compactMap { Int32($0) }
    let lock = try descriptors.first { descriptor in
      var link = [CChar](repeating: 0, count: 4096)
      let count = readlink("/proc/self/fd/\(descriptor)", &link, link.count)
      return try #require(String(validating: link.prefix(max(0, count)), as: UTF8.self)) == path + "/store.lock"
    }
    let inherited = dup(try #require(lock))
    defer { close(inherited) }
    environment.close()
    try Environment(at: path).close()
  }

  @Test("a writer killed in the middle of a transaction leaves what it had committed before, and nothing else")
  func survivesKilledWriter() async throws {
    let path = path
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let environment = try Environment(at: path)
      let table = try environment.table("t")
      for round in 0..<20 {
        try environment.write { transaction in
          for number in 0..<500 {
            try transaction.put([UInt8](number: round), for: [UInt8](number: number), in: table)
            if round == 19, number == 400 { kill(getpid(), SIGKILL) }
          }
        }
      }
    }
    let environment = try Environment(at: path)
    let table = try environment.table("t")
    let entries = try environment.read { try $0.entries(table) }
    #expect(entries.map(\.key.asNumber) == Array(0..<500))
    #expect(entries.allSatisfy { $0.value.asNumber == 18 })
    try await environment.write { try $0.put([1], for: [1], in: table) }
  }

  @Test("the places of readers that were killed are free again when the writer needs them")
  func clearsKilledReaders() async throws {
    let environment = try Environment(at: path, options: .init(readersMax: 3))
    let path = path
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let reading = try Environment(at: path, options: .init(access: .readOnly))
      try reading.read { _ in try reading.read { _ in try reading.read { _ in _ = kill(getpid(), SIGKILL) } } }
    }
    try environment.read { _ in try environment.read { _ in try environment.read { _ in } } }
  }

  @Test("a reader follows the writer of another process, to tables and beyond the map that it knew")
  func followsWriter() async throws {
    try Environment(at: path).close()
    let reading = try Environment(at: path, options: .init(access: .readOnly, mapBytesInitial: 1 << 20))
    #expect(try reading.tableIfPresent("t") == nil)
    let path = path
    await #expect(processExitsWith: .success) { [path = path as String] in
      let environment = try Environment(at: path, options: .init(mapBytesInitial: 1 << 20))
      let table = try environment.table("t")
      for number in 0..<8 {
        try environment.write { transaction in
          try transaction.put([UInt8](repeating: 1, count: 1 << 20), for: [UInt8](number: number), in: table)
        }
      }
    }
    let table = try reading.table("t")
    #expect(try reading.read { try $0.count(in: table) } == 8)
    #expect(try reading.tableNames() == ["t"])
    #expect(try reading.statistics().mapBytes > 8 << 20)
  }

  @Test("a reading process sees only whole transactions while another one writes")
  func readsBesideWriter() async throws {
    let environment = try Environment(at: path)
    let table = try environment.table("t")
    let rounds = 200
    let write: @Sendable (Int) throws -> Void = { round in
      try environment.write { transaction in
        for number in 0..<50 { try transaction.put([UInt8](number: round), for: [UInt8](number: number), in: table) }
      }
    }
    try write(0)
    let path = path
    let writing = Task.detached { try await OtherThread.run { for round in 1...rounds { try write(round) } } }
    await #expect(processExitsWith: .success) { [path = path as String, rounds = rounds as Int] in
      let reading = try Environment(at: path, options: .init(access: .readOnly))
      let table = try reading.table("t")
      var last = 0
      while last < rounds {
        let entries = try reading.read { try $0.entries(table) }
        let seen = Set(entries.map(\.value.asNumber))
        #expect(entries.count == 50)
        #expect(seen.count == 1)
        let round = seen.first ?? rounds
        #expect(round >= last)
        last = round
      }
    }
    try await writing.value
  }

  @Test("a snapshot that is older than a table's opening says so instead of finding nothing")
  func refusesTablesOpenedLater() async throws {
    try Environment(at: path).close()
    let reading = try Environment(at: path, options: .init(access: .readOnly))
    let path = path
    await #expect(processExitsWith: .success) { [path = path as String] in
      let environment = try Environment(at: path)
      let table = try environment.table("t")
      try await environment.write { try $0.put([1], for: [1], in: table) }
    }
    try reading.read { snapshot in
      let table = try reading.table("t")
      let error = StoreError.tableOpenedAfterSnapshot(name: "t")
      #expect(throws: error) { try snapshot.value(for: [1], in: table) }
      #expect(throws: error) { try snapshot.count(in: table) }
      #expect(throws: error) { try snapshot.entries(table) }
      #expect(try reading.read { try $0.count(in: table) } == 1)
    }
  }

  @Test("a process without enough address space is told so, and its store stays usable")
  func refusesGrowthWithoutAddressSpace() async throws {
    let path = path
    await #expect(processExitsWith: .success) { [path = path as String] in
      let environment = try Environment(at: path, options: .init(mapBytesInitial: 1 << 20))
      let table = try environment.table("t")
      try await environment.write { try $0.put([1], for: [1], in: table) }
      // Less than the process has already: every further request is refused.
      var limit = rlimit(rlim_cur: 1 << 20, rlim_max: 1 << 20)
      setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
      #expect(throws: StoreError.system(operation: "Growing the map of", path: path, errno: ENOMEM)) {
        try environment.write { transaction in
          for number in 0..<1000 {
            try transaction.put([UInt8](repeating: 1, count: 1000), for: [UInt8](number: number), in: table)
          }
        }
      }
      #expect(try environment.read { try $0.entries(table) }.count == 1)
    }
  }

  @Test("a process that may not use as much address space as the map would like gets a smaller map, which grows")
  func takesSmallerMap() async throws {
    let path = path
    await #expect(processExitsWith: .success) { [path = path as String] in
      var limit = rlimit(rlim_cur: 16 << 30, rlim_max: 16 << 30)
      setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
      let environment = try Environment(at: path)
      let mapBytes = try environment.statistics().mapBytes
      #expect(mapBytes >= 1 << 30 && mapBytes <= 8 << 30)
      let table = try environment.table("t")
      try await environment.write { try $0.put([7], for: [1], in: table) }
      environment.close()
      let reading = try Environment(at: path, options: .init(access: .readOnly))
      #expect(try reading.read { try $0.value(for: [1], in: reading.table("t")) } == [7])
    }
  }

  @Test("folders and files that may not be written say so")
  func refusesWithoutPermission() async throws {
    try Environment(at: path).close()
    try SystemFiles().makeFolder(folder["empty"])
    let (folder, path) = (folder.path, path)
    await #expect(processExitsWith: .success) { [folder = folder as String, path = path as String] in
      for locked in [path, folder + "/empty", folder] { chmod(locked, 0o555) }
      chmod(path + "/data.mdb", 0o444)
      // An administrator may write everywhere, so become nobody.
      if geteuid() == 0 { setuid(65534) }
      let expected = [
        (path, path + "/store.lock"), (folder + "/empty", folder + "/empty/store.lock"),
        (folder + "/new", folder + "/new"),
      ]
      for (store, denied) in expected {
        #expect(throws: StoreError.notWritable(path: denied)) { try Environment(at: store) }
      }
    }
    for unlocked in [path, folder + "/empty", folder] { chmod(unlocked, 0o755) }
  }

  @Test("a fork knows that it is one, and its parent goes on")
  func noticesForks() async throws {
    let path = path
    await #expect(processExitsWith: .success) { [path = path as String] in
      let environment = try Environment(at: path)
      #expect(!environment.core.isForked)
      // Swift has no fork because it is rarely right; a library that a program uses may do it nevertheless.
      let symbol = try #require(dlsym(nil, "fork"))
      let child = unsafeBitCast(symbol, to: (@convention(c) () -> Int32).self)()
      // No more than this, because some other thread may have held a lock of the language's runtime.
      if child == 0 { _exit(environment.core.isForked ? 42 : 0) }
      var status: Int32 = 0
      waitpid(child, &status, 0)
      #expect(status == 42 << 8)
      #expect(!environment.core.isForked)
      _ = try environment.table("t")
      environment.close()
    }
  }

  @Test("what was opened before a fork can't be used after it, nor closed")
  func refusesForks() async throws {
    let path = path
    await #expect(processExitsWith: .success) { [path = path as String] in
      let environment = try Environment(at: path)
      ProcessGeneration.noteFork()
      let error = StoreError.forked(path: path)
      #expect(throws: error) { try environment.read { _ in } }
      #expect(throws: error) { try environment.table("t") }
      #expect(throws: error) { try environment.write { _ in } }
      environment.close()
      // The parent still has its lock.
      #expect(throws: StoreError.self) { try OtherProcessTests.lock(path) }
    }
  }

  private static func lock(_ path: String) throws {
    _ = try WriterLock(StorePaths(directory: path), SystemFiles())
  }
}
