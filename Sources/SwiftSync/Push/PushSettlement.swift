import Foundation
import Records

/// What a server has answered for a batch, to be noted in one transaction that writes nothing else.
struct PushSettlement: Sendable {
  let batch: PendingBatch
  /// By the places of the batch's rows.
  var verdicts: [(place: Int, verdict: PushAnswer.Verdict)] = []

  init(_ batch: PendingBatch) {
    self.batch = batch
  }

  /// That the server has everything.
  static func everything(of batch: PendingBatch) -> PushSettlement {
    var settlement = PushSettlement(batch)
    settlement.verdicts = batch.rows.indices.map { ($0, .taken) }
    return settlement
  }

  /// - Returns: The places of the rows that were edited since the batch was read.
  func settle(in transaction: RecordTransaction) throws -> [Int] {
    var answers: [PushAnswer] = []
    var places: [RowNumber: Int] = [:]
    for (place, verdict) in verdicts {
      let row = batch.rows[place]
      // Of a row that was made again the deletion before it is no change of its own.
      let answered = verdict == .taken ? row.entries : [row.decisive]
      for entry in answered {
        places[entry.row] = place
        answers.append(PushAnswer(entry.row, verdict, sent: entry.row == row.decisive.row ? row.record : nil))
      }
    }
    let edited = try transaction.settlePush(answers, of: batch.model.entity, through: batch.token, now: Date())
    try transaction.advancePushBookmark(of: batch.model, to: batch.token)
    return Set(edited.compactMap { places[$0] }).sorted()
  }
}

extension RecordTransaction {
  /// Moves a model's bookmark to a token, or as far as nothing before it is pending. What waits in the inbox has been answered.
  fileprivate func advancePushBookmark(of model: OfflineModel, to token: Records.HistoryToken) throws {
    var end = token.rawValue
    try forEachPushEntry(of: model.entity) { entry in
      if !entry.isParked { end = min(end, entry.first.rawValue - 1) }
      return .continue
    }
    let name = model.bookmark
    let known = try historyConsumer(named: name)?.token.rawValue
    if end <= known ?? 0 { return }
    try advanceHistoryConsumer(
      name, to: Records.HistoryToken(rawValue: end), ignoring: InboundAuthor.name)
  }
}

extension ContainerCore {
  /// Runs a transaction that notes what a server has done or is about to do, to its end even when the task is cancelled: an answer
  /// that is not noted would be asked for once more.
  nonisolated(nonsending) func noteForPush<Result: Sendable>(
    _ body: @escaping @Sendable (RecordTransaction) throws -> Result
  ) async throws -> Result {
    try await Task { try await self.store.write(author: InboundAuthor.name, body).result }.value
  }

  /// `noteForPush`, after which something else is pending than before.
  nonisolated(nonsending) func settlePush<Result: Sendable>(
    _ body: @escaping @Sendable (RecordTransaction) throws -> Result
  ) async throws -> Result {
    let result = try await noteForPush(body)
    commits.deliverSettled()
    return result
  }
}
