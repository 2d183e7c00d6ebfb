import SwiftSync

/// How large a store becomes in a week of small edits, each saved by itself, with a history that is kept.
struct WeekCase: BenchmarkCase {
  let name = "M"
  let summary = "the size of a store under a week of small edits: days of single saves, with the history of all of them"

  private static let days = 7
  /// One edit a day for so many rows: of a hundred thousand rows two thousand are edited each day.
  private static let rowsPerEdit = 50

  func run(_ settings: Settings) async throws -> CaseReport {
    let folder = try settings.workFolder(for: name)
    let path = folder["store"]
    let store = try TrackerStore(at: path, taskCount: settings.rowCount)
    var report = CaseReport(self)
    var table = ReportTable("at the end of", columns: ["MB", "edits", "bytes written each"])
    table.add("the beginning", [try Self.megabytes(path), 0, nil])
    var edits = SmallEdits(of: store)
    for day in 1...Self.days {
      let written = WriteCounters.now()
      let count = max(1, settings.rowCount / Self.rowsPerEdit)
      for _ in 0..<count { try edits.makeOne() }
      let bytes = (WriteCounters.now() - written).bytes
      table.add("day \(day)", [try Self.megabytes(path), Double(count), Double(bytes) / Double(count)])
    }
    report.tables.append(table)
    return report
  }

  private static func megabytes(_ path: String) throws -> Double {
    Double(try WorkFolder.byteCount(of: path)) / 1_048_576
  }
}

/// Eighteen of twenty edits change a task, one makes a task, one deletes one.
private struct SmallEdits {
  private let context: ModelContext
  private var ids: [UUID]
  private var numbers = PseudoRandom(seed: 17)
  private var count = 0

  init(of store: TrackerStore) {
    context = ModelContext(store.container)
    ids = store.taskIDs
  }

  mutating func makeOne() throws {
    count += 1
    let position = Int(numbers.next() % UInt64(ids.count))
    switch count % 20 {
    case 0:
      let task = Task(
        id: UUID(&numbers), title: "New task \(count)", state: "open", priority: 2, createdAt: .now, updatedAt: .now)
      context.insert(task)
      ids.append(task.id)
    case 1:
      if ids.count > 1, let task = try context.model(Task.self, id: ids.remove(at: position)) { context.delete(task) }
    default:
      guard let task = try context.model(Task.self, id: ids[position]) else { return }
      task.title = "Edited task \(count), with a title of usual length"
      task.updatedAt = Date(timeIntervalSince1970: 2_000_000_000 + Double(count))
    }
    try context.save()
  }
}
