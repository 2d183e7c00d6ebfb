import Foundation

/// What every peer has to find, calculated from the rows themselves.
struct TrackerAnswers: Codable {
  /// How many rows and links there are.
  struct Counts: Codable, Equatable {
    var users = 0
    var projects = 0
    var tasks = 0
    var reviewers = 0
    var watchers = 0
  }

  /// After the first sync, after the second payload, and after the single rows on top of the first.
  var first: Counts
  var second: Counts
  var upserted: Counts
  /// The tasks of the identities that are looked up.
  var found: Listing
  /// The tasks of the projects, project by project.
  var listed: Listing
  /// The newest urgent tasks.
  var urgent: Listing
  /// The bytes of all exports.
  var exportBytes: Int
}

extension TrackerAnswers {
  init(
    to questions: TrackerWorkload.Questions, about rows: TrackerRows, then successor: TrackerRows,
    upserting upserts: [TrackerRows.Task]
  ) {
    first = Counts(rows)
    second = Counts(successor)
    let tasks = Dictionary(uniqueKeysWithValues: rows.tasks.map { ($0.id, $0) })
    var result = rows
    result.tasks = Array(tasks.merging(upserts.map { ($0.id, $0) }) { $1 }.values)
    upserted = Counts(result)
    found = Listing(questions.tasks.compactMap { tasks[$0] })
    let members = Dictionary(grouping: rows.tasks, by: \.project)
    listed = Listing(
      questions.projects.flatMap { project in
        (members[project] ?? []).sorted { ($1.updatedAt, $0.id) < ($0.updatedAt, $1.id) }
      })
    urgent = Listing(
      rows.tasks.filter { $0.priority >= TrackerWorkload.urgentPriority }
        .sorted { ($1.createdAt, $0.id) < ($0.createdAt, $1.id) }.prefix(TrackerWorkload.urgentLimit))
    let export = TrackerExport(rows)
    exportBytes = questions.projects.reduce(0) { $0 + export.byteCount(of: $1) }
  }
}

/// Tasks in an order, reduced to what can be compared quickly: the same tasks with the same texts in the same order have
/// the same digest.
struct Listing: Codable, Equatable {
  var rows = 0
  var digest: UInt64 = 0

  /// A task, by the first eight bytes of its identity and the bytes of its texts.
  mutating func add(_ id: UUID, textBytes: Int) {
    let head = withUnsafeBytes(of: id.uuid) { UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)) }
    rows += 1
    digest = (digest ^ head ^ UInt64(textBytes)) &* 0x0000_0100_0000_01B3
  }
}

extension TrackerAnswers.Counts {
  init(_ rows: TrackerRows) {
    users = rows.users.count
    projects = rows.projects.count
    tasks = rows.tasks.count
    reviewers = rows.tasks.reduce(0) { $0 + $1.reviewers.count }
    watchers = rows.tasks.reduce(0) { $0 + $1.watchers.count }
  }
}

extension Listing {
  init(_ tasks: some Sequence<TrackerRows.Task>) {
    for task in tasks { add(task.id, textBytes: task.title.utf8.count + (task.description?.utf8.count ?? 0)) }
  }
}
