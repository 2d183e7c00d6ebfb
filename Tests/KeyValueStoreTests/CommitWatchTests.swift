import Glibc
import Synchronization
import TestSupport
import Testing

@testable import KeyValueStore

/// Being told of commits, also of those of another process. The bodies of `processExitsWith` run in a process of their own.
@Suite("Watching commits", .timeLimit(.minutes(20)))
struct CommitWatchTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder["store"]
  }

  /// Reads the store each time that it is told of commits.
  private final class Follower: Sendable {
    let number = Atomic(-1)
    let calls = Atomic(0)
    private let watch = Mutex<CommitWatch?>(nil)

    init(_ environment: Environment) throws {
      let table = try environment.table("t")
      let made = try environment.watchCommits { [weak self] in
        let value = try? environment.read { try $0.value(for: [1], in: table) }
        self?.number.store(value?.asNumber ?? -1, ordering: .relaxed)
        self?.calls.add(1, ordering: .relaxed)
      }
      watch.withLock { $0 = made }
    }

    func hasSeen(_ number: Int) async {
      await OtherThread.wait { self.number.load(ordering: .relaxed) == number }
    }

    func stop() {
      watch.withLock { $0 = nil }
    }
  }

  /// No checkpoint writes to the file later, and makes up for a commit that was missed.
  private static let options: Environment.Options = {
    var options = Environment.Options()
    options.checkpoints.interval = 3_600_000_000_000
    return options
  }()

  @Test("the last of many commits is always told of, whenever it comes")
  func sameProcess() async throws {
    let environment = try Environment(at: path, options: Self.options)
    let table = try environment.table("t")
    let follower = try Follower(environment)
    for round in 1...20 {
      try await OtherThread.run {
        for step in 1...(round % 5 * 40 + 1) {
          try environment.write(durability: .relaxed) {
            try $0.put([UInt8](number: round * 1000 + step), for: [1], in: table)
          }
        }
      }
      await follower.hasSeen(round * 1000 + round % 5 * 40 + 1)
    }
    // A call tells of more than one commit.
    #expect(follower.calls.load(ordering: .relaxed) < 1700)
  }

  /// LMDB makes a commit visible a moment after it has written to the file, by a number in `lock.mdb`. Here that moment is as long as
  /// the test likes: the meta page of a commit without changes is written, and the number later, by a process of its own.
  @Test("a commit that becomes visible after the last write to the file is told of too")
  func lateNumber() async throws {
    let writer = try Environment(at: path, options: Self.options)
    let table = try writer.table("t")
    for number in 0..<300 {
      try await writer.write(durability: .relaxed) { try $0.put([UInt8](number: number), for: [1], in: table) }
      try writer.read { _ in }
    }
    writer.close()
    let reader = try Environment(at: path, options: .init(access: .readOnly))
    let follower = try Follower(reader)
    let known = try reader.core.commitNumbers().visible
    let files = SystemFiles()
    let data = try files.open(path + "/data.mdb", for: .writing)
    let pageBytes = try reader.statistics().pageBytes
    var page = try files.bytes(of: data, at: (known & 1) * pageBytes, pageBytes)
    page.replaceSubrange(0..<8, with: Self.bytes(UInt64((known + 1) & 1)))
    page.replaceSubrange(144..<152, with: Self.bytes(UInt64(known + 1)))
    try files.write(page, to: data, at: ((known + 1) & 1) * pageBytes)
    #expect(try reader.core.commitNumbers() == CommitNumbers(visible: known, newest: known + 1))
    await OtherThread.waitInVain()
    #expect(follower.calls.load(ordering: .relaxed) == 0)
    let path = path
    await #expect(processExitsWith: .success) { [path = path as String, known = known as Int] in
      let lock = try SystemFiles().open(path + "/lock.mdb", for: .writing)
      let bytes = try SystemFiles().bytes(of: lock, at: 0, 256)
      let places = stride(from: 0, to: 256, by: 8).filter { bytes.number(at: $0, as: UInt64.self) == known }
      #expect(places.count == 1)
      try SystemFiles().write(Self.bytes(UInt64(known + 1)), to: lock, at: try #require(places.first))
    }
    await follower.hasSeen(299)
    #expect(follower.calls.load(ordering: .relaxed) == 1)
  }

  private static func bytes(_ number: UInt64) -> [UInt8] { withUnsafeBytes(of: number) { Array($0) } }

  @Test("the last commit of a process is always told of, also when that process dies at once")
  func otherProcess() async throws {
    let writer = try Environment(at: path)
    _ = try writer.table("t")
    writer.close()
    let reader = try Environment(at: path, options: .init(access: .readOnly))
    let follower = try Follower(reader)
    for round in 1...10 {
      let (path, first) = (path, round * 1000)
      await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, first = first as Int] in
        let environment = try Environment(at: path, options: Self.options)
        let table = try environment.table("t")
        for step in 0..<200 {
          try environment.write(durability: .relaxed) {
            try $0.put([UInt8](number: first + step), for: [1], in: table)
          }
          // Publishes.
          try environment.read { _ in }
        }
        kill(getpid(), SIGKILL)
      }
      await follower.hasSeen(first + 199)
    }
  }

  @Test("nobody is told of anything while nothing is committed, or after the watch has ended")
  func silence() async throws {
    let environment = try Environment(at: path)
    let table = try environment.table("t")
    let (ended, other) = (try Follower(environment), try Follower(environment))
    try await environment.write { try $0.put([UInt8](number: 1), for: [1], in: table) }
    await ended.hasSeen(1)
    await other.hasSeen(1)
    ended.stop()
    let calls = other.calls.load(ordering: .relaxed)
    for _ in 0..<10 { try environment.read { _ in } }
    await OtherThread.waitInVain()
    #expect(other.calls.load(ordering: .relaxed) == calls)
    try await environment.write { try $0.put([UInt8](number: 2), for: [1], in: table) }
    await other.hasSeen(2)
    #expect(ended.number.load(ordering: .relaxed) == 1)
  }

  @Test("a watch that is gone leaves nothing open, and so no thread, whatever became of the store")
  func lifetime() async throws {
    let path = path
    await #expect(processExitsWith: .success) { [path = path as String] in
      for isClosedFirst in [true, false] {
        let environment = try Environment(at: path)
        var watches = try (0..<8).map { _ in try environment.watchCommits {} }
        #expect(Self.openWatches == 8)
        if isClosedFirst { environment.close() }
        watches = []
        environment.close()
        #expect(watches.isEmpty)
        #expect(throws: StoreError.closed(path: path)) { try environment.watchCommits {} }
        // The threads hold them until they have ended.
        while Self.openWatches > 0 { usleep(50) }
      }
    }
  }

  /// How many watches of the system's this process has open.
  private static var openWatches: Int {
    let descriptors = (try? SystemFiles().names(in: "/proc/self/fd")) ?? []
    return descriptors.count { descriptor in
      var link = [CChar](repeating: 0, count: 256)
      let count = readlink("/proc/self/fd/\(descriptor)", &link, link.count)
      return String(validating: link.prefix(max(0, count)), as: UTF8.self)?.contains("inotify") == true
    }
  }

  @Test("where the system watches no more files, that is an error")
  func refusal() async throws {
    let path = path
    await #expect(processExitsWith: .success) { [path = path as String] in
      let environment = try Environment(at: path)
      var limit = rlimit(rlim_cur: 3, rlim_max: 4096)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      let result = Result { try environment.watchCommits {} }
      limit.rlim_cur = limit.rlim_max
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      #expect(throws: StoreError.system(operation: "Watching the data file of", path: path, errno: EMFILE)) {
        try result.get()
      }
    }
  }
}
