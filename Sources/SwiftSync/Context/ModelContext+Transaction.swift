extension ModelContext {
  /// Runs a closure that edits, and saves: everything that is unsaved when it returns is written in one atomic transaction.
  ///
  /// When the closure or the save throws, the closure's edits are undone; what was unsaved before stays so. Transactions nest:
  /// an inner one undoes its own edits when it throws, and the outermost one saves. A `save()` in the closure is a save, which
  /// cannot be undone: if the closure throws after it, everything that is still unsaved is rolled back.
  ///
  /// - Throws: What the closure throws, and what `save()` does.
  public func transaction(block: () throws -> Void) throws {
    let checkpoint = EditCheckpoint(of: self)
    transactionDepth += 1
    defer { transactionDepth -= 1 }
    do {
      try block()
      if transactionDepth == 1 { try save() }
    } catch {
      checkpoint.restore()
      throw error
    }
  }
}
