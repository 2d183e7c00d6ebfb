import Foundation
import Records
import SyncEngine

/// One pass of a push: what is handed to a closure, and what becomes of what it answers.
struct PushPass<ID: Hashable & Sendable> {
  /// A row of one of the batches.
  struct Item {
    let change: SyncPendingChange<ID>
    let batch: Int
    let place: Int

    var id: ID { change.id }
  }

  let container: SyncContainer
  let batches: [PendingBatch]
  /// In the order in which they are to be sent.
  let items: [Item]

  var changes: [SyncPendingChange<ID>] { items.map(\.change) }

  private func row(_ item: Item) -> PendingRow { batches[item.batch].rows[item.place] }

  /// Notes that what no server knows may be known to one from now on.
  nonisolated(nonsending) func handOut() async throws {
    for batch in batches { try await batch.handOut() }
  }

  /// Settles what was answered: in one transaction what was applied and rejected, and then each row that the server has a newer version
  /// of by itself, so that one that can't be stored stands in nobody's way.
  ///
  /// - Throws: `SyncPushError.unknownIdentities`, before anything is settled; `RecordError`, `StoreError`.
  nonisolated(nonsending) func settle(_ outcomes: [ID: SyncPushOutcome]) async throws -> SyncPushReport<ID> {
    try checkIdentities(outcomes)
    var report = SyncPushReport<ID>()
    var settlements = batches.map { PushSettlement($0) }
    var stale: [(item: Item, server: (any SyncPayloadConvertible)?)] = []
    for item in items {
      switch outcomes[item.id] {
      case .applied:
        report.applied.append(item.id)
        settlements[item.batch].verdicts.append((item.place, .taken))
      case .rejected(let reason, let code):
        report.rejected.append(item.id)
        settlements[item.batch].verdicts.append((item.place, .refused(reason: reason, code: code)))
      case .stale(let server): stale.append((item, server))
      case nil: report.unanswered.append(item.id)
      }
    }
    try await settle(settlements, &report)
    if stale.isEmpty { return report }
    // What is deleted goes in the other order, so that rows are clean that would go with another.
    for (item, server) in stale where server != nil { try await adopt(server, for: item, &report) }
    for item in stale.reversed() where item.server == nil { try await adopt(nil, for: item.item, &report) }
    // What was adopted is behind the bookmark now.
    _ = try await container.modelContainer.core.settlePush { [batches] transaction in
      for batch in batches { _ = try PushSettlement(batch).settle(in: transaction) }
    }
    await container.modelContainer.core.refreshMainContext()
    return report
  }

  private nonisolated(nonsending) func settle(
    _ settlements: [PushSettlement], _ report: inout SyncPushReport<ID>
  ) async throws {
    let answered = settlements.filter { !$0.verdicts.isEmpty }
    if answered.isEmpty { return }
    let edited = try await container.modelContainer.core.settlePush { transaction in
      try settlements.map { $0.verdicts.isEmpty ? [] : try $0.settle(in: transaction) }
    }
    report.editedMeanwhile += items.filter { edited[$0.batch].contains($0.place) }.map(\.id)
  }

  /// Has the server's version of a row take the place of the local one. If it can't be stored, the change waits in the inbox, with
  /// the reason.
  private nonisolated(nonsending) func adopt(
    _ server: (any SyncPayloadConvertible)?, for item: Item, _ report: inout SyncPushReport<ID>
  ) async throws {
    let batch = batches[item.batch]
    let adoption = PushAdoption(model: batch.model, row: row(item), through: batch.token)
    do {
      let isEdited = try await !adoption.run(server, in: container)
      report.stale.append(item.id)
      if isEdited { report.editedMeanwhile.append(item.id) }
    } catch let error where PushAdoption.isRefusal(error) {
      var settlement = PushSettlement(batch)
      settlement.verdicts = [(item.place, .refused(reason: "\(error)", code: PushAdoption.refusalCode))]
      _ = try await batch.model.core.settlePush { [settlement] in try settlement.settle(in: $0) }
      report.rejected.append(item.id)
    }
  }

  private func checkIdentities(_ outcomes: [ID: SyncPushOutcome]) throws {
    let known = Set(items.map(\.id))
    let unknown = outcomes.keys.filter { !known.contains($0) }
    guard !unknown.isEmpty else { return }
    throw SyncPushError.unknownIdentities(
      model: batches.map(\.model.name).joined(separator: ", "), unknown.map { "\($0)" }.sorted())
  }
}
