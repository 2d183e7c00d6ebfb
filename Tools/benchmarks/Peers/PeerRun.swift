import Foundation

/// One peer doing one operation, measured and checked.
struct PeerRun {
  var operation: PeerOperation
  var peer: Peer
  var workload: TrackerWorkload
  /// The folder of the peer's store.
  var store: String

  /// A peer has come to something else than what the workload says.
  struct WrongAnswer: Error, CustomStringConvertible {
    let description: String
  }

  /// Does the operation.
  ///
  /// - Throws: `WrongAnswer`, and what the peer refuses.
  func run() async throws -> PeerTurn {
    switch operation {
    case .open, .openCold: try opening()
    case .findRecords where peer == .ours: try findingRecords()
    default: try await onOpenStore()
    }
  }

  private func opening() throws -> PeerTurn {
    let ids = try Array(workload.questions().tasks.prefix(1))
    if operation == .openCold { try PageCache.drop(filesIn: store) }
    let meter = Meter()
    let tracker = try peer.open(at: store, isIndexed: false)
    defer { tracker.close() }
    let found = try tracker.find(ids)
    let turn = meter.turn(rows: 1)
    try expect(found.rows, 1, "rows found")
    return turn
  }

  private func findingRecords() throws -> PeerTurn {
    let (questions, answers) = try (workload.questions(), workload.answers())
    let records = try OurRecords(at: store)
    defer { records.close() }
    _ = try records.find(questions.tasks)
    let meter = Meter()
    let found = try records.find(questions.tasks)
    let turn = meter.turn(rows: found.rows)
    try expect(found, answers.found, "tasks found")
    return turn
  }

  private func onOpenStore() async throws -> PeerTurn {
    let answers = try workload.answers()
    let tracker = try peer.open(at: store, isIndexed: operation.isIndexed)
    defer { tracker.close() }
    switch operation {
    case .firstSync, .sameSync: return try await syncing(workload.first, into: tracker, answers.first)
    case .nextSync: return try await syncing(workload.second, into: tracker, answers.second)
    case .upserts, .upsertsOf8, .upsertsOf64: return try await upserting(into: tracker, answers.upserted)
    default: return try reading(from: tracker, answers)
    }
  }

  private func syncing(
    _ payload: String, into tracker: any PeerStore, _ expected: TrackerAnswers.Counts
  ) async throws -> PeerTurn {
    let meter = Meter()
    let phases = try await tracker.sync(payload)
    var turn = meter.turn(rows: expected.users + expected.projects + expected.tasks)
    turn.phases = phases
    try expect(tracker.counts(), expected, "rows and links")
    return turn
  }

  private func upserting(into tracker: any PeerStore, _ expected: TrackerAnswers.Counts) async throws -> PeerTurn {
    let upserts = try workload.upserts()
    let meter = Meter()
    try await tracker.upsert(upserts, concurrency: operation.concurrency)
    let turn = meter.turn(rows: upserts.count)
    try expect(tracker.counts(), expected, "rows and links")
    return turn
  }

  /// Reads twice; the first time, which fills caches, is not counted.
  private func reading(from tracker: any PeerStore, _ answers: TrackerAnswers) throws -> PeerTurn {
    let questions = try workload.questions()
    _ = try read(from: tracker, questions)
    let meter = Meter()
    let answer = try read(from: tracker, questions)
    let turn = meter.turn(rows: answer.rows * operation.repetitions)
    try expect(answer, expected(of: answers, questions), "rows read")
    return turn
  }

  /// What an operation that reads has to come to.
  private func expected(of answers: TrackerAnswers, _ questions: TrackerWorkload.Questions) -> Listing {
    switch operation {
    case .list: answers.listed
    case .export: Listing(rows: questions.projects.count, digest: UInt64(answers.exportBytes))
    case .urgent, .urgentIndexed: answers.urgent
    default: answers.found
    }
  }

  /// Does an operation that reads. An export's bytes stand for its digest.
  private func read(from tracker: any PeerStore, _ questions: TrackerWorkload.Questions) throws -> Listing {
    switch operation {
    case .list: return try tracker.list(questions.projects)
    case .export:
      return Listing(rows: questions.projects.count, digest: UInt64(try tracker.export(questions.projects)))
    case .urgent, .urgentIndexed:
      var answer = Listing()
      for _ in 0..<operation.repetitions {
        answer = try tracker.urgent(
          priority: TrackerWorkload.urgentPriority, limit: TrackerWorkload.urgentLimit)
      }
      return answer
    case .fetchObjects: return try tracker.fetch(questions.tasks)
    default: return try tracker.find(questions.tasks)
    }
  }

  private func expect<Answer: Equatable>(_ answer: Answer, _ expected: Answer, _ what: String) throws {
    guard answer != expected else { return }
    throw WrongAnswer(
      description: "Case \(operation.rawValue), \(peer.rawValue): \(what) are \(answer), not \(expected).")
  }
}
