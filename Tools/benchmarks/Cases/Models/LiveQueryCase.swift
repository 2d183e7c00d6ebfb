import Observation
import SwiftSync

/// From a change to the observers of what it concerns, with few and with many live queries beside those.
struct LiveQueryCase: BenchmarkCase {
  let name = "J"
  let summary =
    "a task changed and saved, until the detail and the list that show it have it, beside other live queries"

  private static let counts = [1, 100, 10_000]
  private static let commitsEach = 100
  /// Fetching more lists than this after each commit takes too long to be waited for.
  private static let fetchedCountMax = 100

  func run(_ settings: Settings) async throws -> CaseReport {
    let folder = try settings.workFolder(for: name)
    let store = try TrackerStore(at: folder["store"], taskCount: settings.rowCount)
    return try await measure(store, rounds: settings.roundsAsked ?? 5)
  }

  @MainActor
  private func measure(_ store: TrackerStore, rounds: Int) throws -> CaseReport {
    let screens = LiveScreens(store)
    var results: [(name: String, latencies: Latencies)] = []
    var costs = ReportTable("work of one commit", columns: ["asked", "refreshed", "fetched", "µs to open each"])
    func contend(_ name: String, _ body: (Latencies) throws -> Void) rethrows {
      let known = results.first { $0.name == name }?.latencies
      let latencies = known ?? Latencies()
      if known == nil { results.append((name, latencies)) }
      try body(latencies)
    }
    for round in 0..<rounds {
      try contend("no queries") { try screens.commit(Self.commitsEach, noting: $0) }
      for count in Self.counts {
        let start = ContinuousClock.now
        screens.open(count)
        let opening = (ContinuousClock.now - start) / .microseconds(1) / Double(count)
        try contend("\(count) live") { try screens.commit(Self.commitsEach, noting: $0) }
        if round == 0 { costs.add("\(count) live", screens.activity(commits: Self.commitsEach) + [opening]) }
        screens.close()
        guard count <= Self.fetchedCountMax else { continue }
        try contend("\(count) fetched") { try screens.commit(Self.commitsEach, noting: $0, fetching: count) }
      }
    }
    var report = CaseReport(self)
    var times = ReportTable("time of one commit", columns: Latencies.columns)
    for result in results { times.add(result.name, result.latencies.values) }
    report.tables = [times, costs]
    return report
  }
}

/// What shows a task was not told of a commit that changed it.
private struct MissedCommit: Error, CustomStringConvertible {
  let number: Int
  var description: String { "Commit \(number) was not announced to what shows its task." }
}

/// Screens of which every second shows a task, and every other a project's tasks, each project once.
@MainActor
private final class LiveScreens {
  private let container: SyncContainer
  private let taskIDs: [UUID]
  private let projectIDs: [UUID]
  private var details: [SyncModelPublisher<Task>] = []
  private var lists: [SyncQueryPublisher<Task>] = []
  private var numbers = PseudoRandom(seed: 11)
  private var commitCount = 0

  init(_ store: TrackerStore) {
    let container = SyncContainer(store.container)
    self.container = container
    taskIDs = store.taskIDs
    projectIDs = store.projects.compactMap { (container.mainContext.model(for: $0) as? Project)?.id }
  }

  func open(_ count: Int) {
    lists = projectIDs.prefix(count / 2).map(list)
    details = taskIDs.prefix(count - lists.count).map { SyncModelPublisher(Task.self, id: $0, in: container) }
  }

  func close() {
    (details, lists) = ([], [])
  }

  private func list(of project: UUID) -> SyncQueryPublisher<Task> {
    SyncQueryPublisher(
      Task.self, relationship: \.project, relationshipID: project, in: container,
      sortBy: [SortDescriptor(\.updatedAt, order: .reverse)])
  }

  /// Changes tasks that are shown, if any are. What shows one must have been told of it when the save returns. `fetching` stands for
  /// screens that fetch anew after each commit.
  func commit(_ count: Int, noting latencies: Latencies, fetching: Int = 0) throws {
    let context = container.mainContext
    for _ in 0..<count {
      commitCount += 1
      let position = Int(numbers.next() % UInt64(max(1, details.count)))
      guard let task = details.isEmpty ? try context.model(Task.self, id: taskIDs[position]) : details[position].row
      else { continue }
      var isTold = details.isEmpty
      if !details.isEmpty {
        withObservationTracking {
          _ = details[position].row
        } onChange: {
          MainActor.assumeIsolated { isTold = true }
        }
      }
      let start = ContinuousClock.now
      task.title = "Changed \(commitCount)"
      task.updatedAt = Date(timeIntervalSince1970: 2_000_000_000 + Double(commitCount))
      try context.save(durability: .relaxed)
      try fetch(fetching)
      latencies.note(ContinuousClock.now - start)
      guard isTold, task.title == "Changed \(commitCount)" else { throw MissedCommit(number: commitCount) }
    }
  }

  private func fetch(_ count: Int) throws {
    for id in projectIDs.prefix(count / 2) {
      let descriptor = FetchDescriptor<Task>(
        predicate: #Predicate { $0.project?.id == id }, sortBy: [SortDescriptor(\.updatedAt, order: .reverse)])
      _ = try container.mainContext.fetch(descriptor)
    }
    for id in taskIDs.prefix(count - count / 2) { _ = try container.mainContext.model(Task.self, id: id) }
  }

  /// How many queries one of the commits since they were opened has had asked, refreshed and fetched.
  func activity(commits: Int) -> [Double] {
    let all = details.map(\.activity) + lists.map(\.activity)
    let fetches = all.reduce(0) { $0 + $1.refetches - 1 }
    return [all.reduce(0) { $0 + $1.checks }, all.reduce(0) { $0 + $1.refreshes }, fetches].map {
      Double($0) / Double(commits)
    }
  }
}
