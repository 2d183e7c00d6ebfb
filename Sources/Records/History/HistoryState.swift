import KeyValueStore

/// Where the history begins, and whether one is kept: what the entries themselves cannot say.
struct HistoryState: Equatable {
  /// Up to here every transaction is gone. It only rises.
  var floor = HistoryToken.start
  var isKept = true
  /// Up to here the transactions of syncs that are old enough are gone, among others that are kept.
  var syncedFloor = HistoryToken.start

  init() {}

  /// Eight bytes of the floor, one that is 1 while a history is kept, and eight of the other floor.
  var bytes: [UInt8] {
    floor.rawValue.withBytes { [UInt8]($0) } + [isKept ? 1 : 0] + syncedFloor.rawValue.withBytes { [UInt8]($0) }
  }

  init?(_ bytes: [UInt8]) {
    // Earlier formats end behind the ninth byte.
    guard bytes.count == 9 || bytes.count == 17, bytes[8] <= 1,
      let floor = bytes.prefix(8).withUnsafeBytes({ UInt64($0) })
    else { return nil }
    self.floor = HistoryToken(rawValue: floor)
    isKept = bytes[8] == 1
    if let number = bytes.dropFirst(9).withUnsafeBytes({ UInt64($0) }) { syncedFloor = HistoryToken(rawValue: number) }
  }
}

extension RecordSnapshot {
  func historyState() throws -> HistoryState {
    guard let bytes = try snapshot.value(for: MetaKey.history, in: tables.meta) else { return HistoryState() }
    guard let state = SealedValue.open(bytes, under: MetaKey.history).flatMap(HistoryState.init) else {
      throw damagedEntry(tables.meta)
    }
    return state
  }
}

extension RecordTransaction {
  func write(_ state: HistoryState) throws {
    try transaction.put(SealedValue.seal(state.bytes, under: MetaKey.history), for: MetaKey.history, in: tables.meta)
  }
}
