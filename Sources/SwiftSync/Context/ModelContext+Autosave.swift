/// Saving without being told to.
extension ModelContext {
  /// Takes in what other contexts and syncs have committed: objects without edits are brought up to date. If
  /// `autosaveEnabled` is set, saves what is unsaved; should that fail, the next fetch or save throws why.
  ///
  /// The main context and those of model actors do this by themselves. Other contexts take in commits whenever they fetch, save
  /// or roll back, and save by themselves only here.
  public func processPendingChanges() {
    isTurnPending = false
    catchUp()
    guard autosaveEnabled, hasChanges, transactionDepth == 0 else { return }
    graph.reading { try save() }
  }

  /// Has the context's actor process what is pending when the code that runs there now is through.
  func noteUnsaved() {
    guard autosaveEnabled, !isTurnPending else { return }
    isTurnPending = true
    mailbox.wakeUp()
  }
}
