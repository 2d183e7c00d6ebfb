/// What the entries of each tree have to be.
extension TreeWalk {
  /// How much of a long list of pages is in memory at a time.
  private static let listBytesAtATime = 1 << 16

  /// Checks a list of free pages: how many they are, and then their numbers, the largest first.
  func checkFreeList(_ slot: Int, of page: NodePage, _ value: EntryValue) throws(PageFault) {
    let transaction = page.key(slot).count == 8 ? page.key(slot).loadUnaligned(as: UInt64.self) : 0
    guard (1...max(1, check.meta.transaction)).contains(transaction) else {
      throw .freeListTransaction(slot: slot, transaction: transaction)
    }
    let byteCount = value.byteCount
    guard byteCount >= 8 else { throw .freeListLength(slot: slot) }
    let count = try bytes(of: value, at: 0, 8).withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
    guard count <= UInt64(byteCount / 8 - 1) else { throw .freeListLength(slot: slot) }
    var previous = UInt64.max
    var offset = 8
    let end = 8 + 8 * Int(count)
    while offset < end {
      let part = try bytes(of: value, at: offset, min(end - offset, Self.listBytesAtATime))
      for place in stride(from: 0, to: part.count, by: 8) {
        let number = part.number(at: place, as: UInt64.self)
        guard number < previous else { throw .freeListOrder(slot: slot) }
        guard check.use.contains(number) else { throw .freeListRange(slot: slot, page: number) }
        if !check.use.claim(number) { check.report.problems.append(.page(number, of: tree, .usedTwice)) }
        previous = number
      }
      offset += part.count
    }
    check.countFree(count, freedBy: transaction)
  }

  /// Checks an entry of the list of tables: a table, or the number of the last commit.
  func checkRootEntry(_ slot: Int, of page: NodePage) throws(PageFault) {
    let key = page.key(slot)
    let value = page.value(slot)
    if page.flags(slot) == NodePage.NodeFlag.table {
      guard value.count == TreeRecord.byteCount else { throw .tableRecord(slot: slot) }
      check.tables.append((String(decoding: key, as: UTF8.self), TreeRecord(value)))
    } else if key.elementsEqual(Engine.lsnKey), value.count == 8 {
      check.report.lsn = UInt64(littleEndian: value.loadUnaligned(as: UInt64.self))
    } else {
      throw .entryFlags(slot: slot, flags: page.flags(slot))
    }
  }

  /// Checks an entry of a table: whether a long key's has that key, and the only one of the store's own table.
  func checkTableEntry(
    _ slot: Int, of page: NodePage, _ value: EntryValue, isRecord: Bool
  ) throws(PageFault) {
    let key = page.key(slot)
    if isRecord, key.elementsEqual(StoreRecord.key), case .inline(let bytes) = value { check.readRecord(bytes) }
    if key.count == StoredKey.longByteCount, let seed = check.seed { try checkLongKey(slot, key, value, seed: seed) }
  }

  private func checkLongKey(
    _ slot: Int, _ stored: UnsafeRawBufferPointer, _ value: EntryValue, seed: UInt64
  ) throws(PageFault) {
    guard value.byteCount >= LongEntry.headerByteCount else { throw .longKey(slot: slot) }
    let header = try bytes(of: value, at: 0, LongEntry.headerByteCount)
    let keyByteCount = Int(UInt32(littleEndian: header.number(at: 0, as: UInt32.self)))
    guard keyByteCount <= StoredKey.callerBytesMax, LongEntry.headerByteCount + keyByteCount <= value.byteCount else {
      throw .longKey(slot: slot)
    }
    let entry = try bytes(of: value, at: 0, LongEntry.headerByteCount + keyByteCount)
    let isRight = entry.withUnsafeBytes { entry in
      guard let key = LongEntry.parts(entry)?.key else { return false }
      return StoredKey.with(key, seed: seed) { $0.bytes.hasSameBytes(as: stored) }
    }
    if !isRight { throw .longKey(slot: slot) }
  }

  private func bytes(of value: EntryValue, at offset: Int, _ byteCount: Int) throws(PageFault) -> [UInt8] {
    switch value {
    case .inline(let bytes): Array(bytes[offset..<(offset + byteCount)])
    case .overflow(let first, _): try check.reader.overflowBytes(first, at: offset, byteCount)
    }
  }
}

extension EntryValue {
  /// How long the value is.
  var byteCount: Int {
    switch self {
    case .inline(let bytes): bytes.count
    case .overflow(_, let byteCount): byteCount
    }
  }
}
