import SwiftSync
import TestSupport
import Testing

// Two versions of one application's class, of which the newer one reads fewer values.

enum Older {
  @Model final class Job {
    var number: Int
    var state: String

    init(number: Int, state: String) {
      self.number = number
      self.state = state
    }
  }
}

enum Newer {
  enum State: String, Codable {
    case open, closed
  }

  @Model final class Job {
    var number: Int
    var state: State

    init(number: Int, state: State) {
      self.number = number
      self.state = state
    }
  }
}

@Suite("Rows that a class cannot represent")
struct UnreadableRowTests {
  @Test("A save that meets one leaves its object readable, brings the others up to date, and the next fetch names it")
  func saveMeetsUnreadableRow() throws {
    let folder = try TemporaryFolder()
    let configuration = ModelConfiguration(url: URL(fileURLWithPath: folder["store"]))
    let newer = ModelContext(try ModelContainer(for: Newer.Job.self, configurations: configuration))
    let jobs = (1...2).map { Newer.Job(number: $0, state: .open) }
    for job in jobs { newer.insert(job) }
    try newer.save()

    let older = ModelContext(try ModelContainer(for: Older.Job.self, configurations: configuration))
    for job in try older.fetch(FetchDescriptor<Older.Job>()) { job.state = job.number == 1 ? "paused" : "closed" }
    try older.save()

    for job in jobs { job.number += 10 }
    try newer.save()
    #expect(jobs[0].state == .open)
    #expect(jobs[1].state == .closed && jobs[1].number == 12)
    let error = #expect(throws: ModelError.self) { try newer.fetch(FetchDescriptor<Newer.Job>()) }
    #expect(error?.description.contains("Job.state") == true && error?.description.contains("paused") == true)
    #expect(try older.fetch(FetchDescriptor<Older.Job>(sortBy: [SortDescriptor(\.number)])).map(\.number) == [11, 12])
  }
}
