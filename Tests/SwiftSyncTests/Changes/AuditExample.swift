import SwiftSync

/// Where an audit log is kept, outside of the store.
protocol AuditLog {
  func lastToken() throws -> DefaultHistoryToken?
  func note(_ rows: RowChanges, of commit: CommittedChanges) throws
  func noteGap(_ reason: ResynchronizationReason) throws
  /// Makes everything before safe, and the token.
  func keep(_ token: DefaultHistoryToken?) throws
}

func audit(_ container: ModelContainer, into log: some AuditLog) async throws {
  let begin = try log.lastToken() ?? container.lastHistoryToken()
  for try await element in try container.changes(since: begin) {
    switch element {
    case .committed(let commit):
      for rows in commit.rows { try log.note(rows, of: commit) }
      try log.keep(commit.token)
    case .resynchronize(let reason, let token):
      try log.noteGap(reason)
      try log.keep(token)
    }
  }
}
