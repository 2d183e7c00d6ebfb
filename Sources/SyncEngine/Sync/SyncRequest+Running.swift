import Records

extension SyncRequest {
  /// Syncs the payload in a transaction.
  ///
  /// - Parameters:
  ///   - transaction: Where the rows are written. If this throws, it must not be committed.
  ///   - plans: The mapping plans of the transaction's store; made for this sync alone when there are none.
  ///   - isCancelled: Asked between rows.
  /// - Returns: What was done.
  /// - Throws: `SyncError.invalidPayload` for a payload of the wrong shape, one in which no row has an identity, or a value
  ///   that is required and missing or unreadable; `SyncError.cancelled`; and what the transaction throws.
  package func run(
    in transaction: RecordTransaction, plans: MappingPlans = MappingPlans(), isCancelled: () -> Bool = { false }
  ) throws -> SyncReport {
    guard let target = transaction.catalog.entity(named: entity) else {
      throw SyncError.invalidPayload(model: entity, reason: "the store has no such entity")
    }
    return try document.read { root in
      let rows = try rows(of: root)
      return try withoutActuallyEscaping(isCancelled) { isCancelled in
        let pass = try SyncPass(
          self, target: target, root: root, in: transaction, plans: plans, isCancelled: isCancelled)
        return try pass.run(rows)
      }
    }
  }

  /// The objects that are rows.
  private func rows(of root: PayloadValue) throws -> [PayloadValue] {
    switch form {
    case .item:
      guard root.kind == .object else { throw SyncError.invalidPayload(model: entity, reason: "Expected a dictionary") }
      return [root]
    case .collection:
      let rows = root.kind == .array ? Array(root.elements) : nil
      guard let rows, rows.allSatisfy({ $0.kind == .object }) else {
        throw SyncError.invalidPayload(model: entity, reason: "Expected array of dictionaries")
      }
      return rows
    }
  }
}
