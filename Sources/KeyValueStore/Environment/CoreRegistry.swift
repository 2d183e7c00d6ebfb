/// The stores that this process has open, by the identity of their folders.
final class CoreRegistry: Sendable {
  static let shared = CoreRegistry()

  private enum Slot {
    /// Some thread opens the store.
    case opening
    case open(EnvironmentCore)
  }

  /// A list, since they are few, and a dictionary of types of its own takes the runtime longer to get ready than opening a store does
  /// all else that this class sees to.
  private let monitor = Monitor<[(folder: FileIdentity, slot: Slot)]>([])

  /// The open store that `opening` asks for, with one more handle; opens it if it isn't open.
  func core(for opening: StoreOpening) throws(StoreError) -> EnvironmentCore {
    let folder = try opening.prepareFolder()
    while let core = claim(folder) {
      if core.occupancy.addHandle() {
        if core.isWritable || opening.options.access == .readOnly { return core }
        if core.occupancy.removeHandle() { core.tearDown() }
        throw .openForReadingOnly(path: opening.directory)
      }
      // Its last handle is just being closed. There can't be a second one before that is over.
      core.occupancy.waitUntilVacated()
    }
    do {
      let core = try opening.open { self.set(folder, nil) }
      set(folder, .open(core))
      return core
    } catch {
      set(folder, nil)
      throw error
    }
  }

  /// Calls a closure for a folder whose store this process has not open, and does not open before the closure has returned.
  ///
  /// - Throws: `StoreError.inUse` when it is open; what the closure throws.
  func whileClosed<Result>(
    _ folder: FileIdentity, path: String, _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    guard claim(folder) == nil else { throw .inUse(path: path) }
    defer { set(folder, nil) }
    return try body()
  }

  /// The open store of a folder; nil when the caller has to open it, and then to `set` it.
  private func claim(_ folder: FileIdentity) -> EnvironmentCore? {
    monitor.withLock(when: { slots in
      if case .opening? = slots.first(where: { $0.folder == folder })?.slot { false } else { true }
    }) { slots in
      if case .open(let core)? = slots.first(where: { $0.folder == folder })?.slot { return core }
      slots.append((folder, .opening))
      return nil
    }
  }

  private func set(_ folder: FileIdentity, _ slot: Slot?) {
    monitor.withLock { slots in
      slots.removeAll { $0.folder == folder }
      if let slot { slots.append((folder, slot)) }
    }
    monitor.wakeAll()
  }
}
