import KeyValueStore

extension QueryRun {
  /// Visits the rows of a part of an index in the order of its first `valueCount` attributes, forwards or backwards, those
  /// that agree in them by their numbers.
  func forEachRow(
    in access: IndexAccess, isReversed: Bool, valueCount: Int, _ body: (RowNumber) throws -> ScanStep
  ) throws {
    let index = access.index
    try snapshot.settle(index)
    let isByRowWithin = valueCount == index.attributes.count && !isReversed
    var group: [RowNumber] = []
    var groupKey: [UInt8] = []
    var isStopped = false

    func visitGroup() throws -> ScanStep {
      defer { group.removeAll(keepingCapacity: true) }
      group.sort()
      for row in group where try body(row) == .stop { return .stop }
      return .continue
    }

    for interval in isReversed ? access.intervals.reversed() : access.intervals where !isStopped {
      try snapshot.forEachEntryInOrder(of: index, in: interval, isReversed: isReversed) { key, row in
        if isByRowWithin {
          isStopped = try body(row) == .stop
          return isStopped ? .stop : .continue
        }
        guard let end = KeySpan.byteCount(of: index.attributes[..<valueCount], in: key) else {
          throw snapshot.damagedEntry(of: index)
        }
        let values = UnsafeRawBufferPointer(rebasing: key[..<end])
        let isSame = groupKey.withUnsafeBytes { $0.hasSameBytes(as: values) }
        if !isSame {
          isStopped = try visitGroup() == .stop
          if isStopped { return .stop }
          groupKey.removeAll(keepingCapacity: true)
          groupKey.append(contentsOf: values)
        }
        group.append(row)
        return .continue
      }
    }
    if !isStopped { _ = try visitGroup() }
  }
}
