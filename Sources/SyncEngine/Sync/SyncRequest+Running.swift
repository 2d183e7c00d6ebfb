import Records
import Synchronization

extension SyncRequest {
  /// Syncs the payload in a transaction of its own, and suspends until it is committed, or, for a dry run, undone.
  ///
  /// - Parameters:
  ///   - store: Whose rows are written.
  ///   - author: Whom the transaction's history names.
  ///   - plans: The mapping plans of the store.
  /// - Returns: What was done, or would have been.
  /// - Throws: As `run(in:plans:isCancelled:)`, and what a commit throws. The store is then as it was.
  package func run(in store: RecordStore, author: String?, plans: MappingPlans) async throws -> SyncReport {
    do {
      return try await run(in: store, author: author, plans: plans, windowByWindow: true)
    } catch is EntangledRows {
      return try await run(in: store, author: author, plans: plans, windowByWindow: false)
    }
  }

  private func run(
    in store: RecordStore, author: String?, plans: MappingPlans, windowByWindow: Bool
  ) async throws -> SyncReport {
    let cancellation = Cancellation()
    let asked = ContinuousClock.now
    let written: (report: SyncReport, end: ContinuousClock.Instant)
    do {
      written = try await withTaskCancellationHandler {
        try await store.write(author: author) { transaction in
          hooks.phase?(.wait, asked.duration(to: .now))
          let report = try run(in: transaction, plans: plans, windowByWindow: windowByWindow) {
            cancellation.isCancelled
          }
          if isDryRun { throw Rehearsal(report: report) }
          return (report, ContinuousClock.now)
        }.result
      } onCancel: {
        cancellation.cancel()
      }
    } catch let rehearsal as Rehearsal {
      return rehearsal.report
    } catch is CancellationError {
      // Cancelled while it waited for its turn to write.
      throw SyncError.cancelled
    }
    hooks.phase?(.commit, written.end.duration(to: .now))
    return written.report
  }

  /// Syncs the payload in a transaction.
  ///
  /// - Parameters:
  ///   - transaction: Where the rows are written. If this throws, it must not be committed.
  ///   - plans: The mapping plans of the transaction's store; made for this sync alone when there are none.
  ///   - isCancelled: Asked between rows.
  /// - Returns: What was done. For a dry run it is known that a commit would not be refused for what the rows hold.
  /// - Throws: `SyncError.invalidPayload` for a payload of the wrong shape, one in which no row has an identity, a value
  ///   that is required and missing or unreadable, or a parent that isn't there; `SyncError.cancelled`; and what the
  ///   transaction throws.
  package func run(
    in transaction: RecordTransaction, plans: MappingPlans = MappingPlans(), isCancelled: () -> Bool = { false }
  ) throws -> SyncReport {
    try run(in: transaction, plans: plans, windowByWindow: false, isCancelled: isCancelled)
  }

  /// - Throws: `EntangledRows`, too, for rows that can't be synced window by window.
  private func run(
    in transaction: RecordTransaction, plans: MappingPlans, windowByWindow: Bool, isCancelled: () -> Bool
  ) throws -> SyncReport {
    guard let target = plans.plan(for: entity, in: transaction.catalog, convention: convention) else {
      throw SyncError.invalidPayload(model: entity, reason: "the store has no such entity")
    }
    return try document.readRows { root, text in
      var rows = try PayloadRows(of: self, in: root, text: text)
      if !windowByWindow { rows.unite() }
      return try withoutActuallyEscaping(isCancelled) { [rows] isCancelled in
        func run(usingDigests usesDigests: Bool) throws -> SyncReport {
          let pass = try SyncPass(
            self, target: target, rows: rows, in: transaction, plans: plans, usesDigests: usesDigests,
            isCancelled: isCancelled)
          return try pass.run()
        }
        var report: SyncReport
        do {
          report = try run(usingDigests: true)
        } catch is EntangledRows where !rows.isDivided {
          // Nothing has been written yet.
          report = try run(usingDigests: false)
        }
        try check?(transaction)
        report.isDryRun = isDryRun
        if isDryRun { try transaction.validate() }
        return report
      }
    }
  }
}

/// Carries a task's cancellation to the writer's thread.
package final class Cancellation: Sendable {
  private let cancelled = Atomic(false)

  package init() {}

  package var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  package func cancel() {
    cancelled.store(true, ordering: .relaxed)
  }
}

/// Ends the transaction of a dry run, so that nothing of it stays.
private struct Rehearsal: Error {
  let report: SyncReport
}
