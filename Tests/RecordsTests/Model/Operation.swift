import Records

/// One step of a transaction, in terms that the model and the store both understand.
enum Operation: Sendable {
  case insert(entity: String, values: [String: FieldValue], links: [String: RowNumber])
  case update(entity: String, row: RowNumber, values: [String: FieldValue], links: [String: RowNumber?])
  case delete(entity: String, row: RowNumber)
  case setMembers(entity: String, relationship: String, owner: RowNumber, members: [RowNumber])
  case insertMembers(entity: String, relationship: String, owner: RowNumber, members: [RowNumber])
  case removeMembers(entity: String, relationship: String, owner: RowNumber, members: [RowNumber])
  case touch(entity: String, row: RowNumber)
  case readMembers(entity: String, relationship: String, owner: RowNumber)
  case lookUp(entity: String, attributes: [String], values: [FieldValue])
}

/// What an operation returns or throws.
enum Outcome: Sendable, Equatable {
  case row(RowNumber)
  case isDone(Bool)
  case changed(Set<String>)
  case rows([RowNumber])
  case noSuchRow
  case missingRequiredValue
  case conflict

  /// Whether the transaction is lost with it.
  var endsTransaction: Bool { self == .conflict }

  init?(_ error: any Error) {
    switch error as? RecordError {
    case .noSuchRow: self = .noSuchRow
    case .missingRequiredValue: self = .missingRequiredValue
    case .uniqueConflict: self = .conflict
    default: return nil
    }
  }
}

/// The operations of one transaction and what the model makes of them.
struct Plan: Sendable {
  var operations: [Operation] = []
  var outcomes: [Outcome] = []
  /// How the transaction ends when all operations have been made.
  var ending = Ending.commit

  enum Ending: Sendable, Equatable {
    case commit
    /// The closure throws.
    case abort
    /// The store refuses to commit.
    case conflict
    case noSuchRow
    case refused(RecordError)
  }
}
