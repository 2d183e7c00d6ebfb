import CLMDB

/// Writes down the operations of the transactions of a group, one frame for each, in one buffer.
///
/// It belongs to the writer thread.
final class FrameCollector {
  /// What a frame may hold. A transaction that changes more is a bulk transaction: see docs/recovery.md.
  static let payloadBytesMax = 4 << 20
  /// What a reader accepts: the same, with room for what the limit does not count.
  static let payloadBytesAllowed = payloadBytesMax + (64 << 10)

  private var buffer = LogBuffer()
  /// Where the finished frames begin.
  private var frames: [Int] = []
  /// Where the current frame begins.
  private var start = 0
  /// The numbers that tables have in the current frame, by those that LMDB has given them.
  private var numbers: [UInt32] = []
  /// The tables of the current frame, in the order of their numbers.
  private var numbered: [MDB_dbi] = []

  private var changeCount = 0
  /// Whether the current frame has become too large and is not written any more.
  private(set) var hasGivenUp = false

  private static let noNumber = UInt32.max

  /// A moment in the current frame, to which it can be taken back.
  struct Mark {
    fileprivate var byteCount: Int
    fileprivate var tableCount: Int
  }

  /// How many bytes all frames have.
  var byteCount: Int { buffer.count }
  var bytes: UnsafeRawBufferPointer { buffer.bytes }
  var isEmpty: Bool { frames.isEmpty }

  // MARK: - Frames

  /// Begins a frame behind the finished ones.
  func beginFrame() {
    hasGivenUp = false
    forgetTables(from: 0)
    start = buffer.count
    buffer.appendZeros(FrameHeader.byteCount)
  }

  /// Finishes the current frame; drops it, and returns false, when nothing was written into it.
  func endFrame() -> Bool {
    if buffer.count == start + FrameHeader.byteCount {
      dropFrame()
      return false
    }
    buffer.appendZeros((FrameHeader.alignment - buffer.count % FrameHeader.alignment) % FrameHeader.alignment)
    frames.append(start)
    return true
  }

  /// Takes the current frame back.
  func dropFrame() {
    buffer.truncate(to: start)
  }

  /// Takes back what the current frame has, and lets it stay empty.
  func giveUp() {
    hasGivenUp = true
    forgetTables(from: 0)
    buffer.truncate(to: start + FrameHeader.byteCount)
  }

  /// Takes all frames back.
  func removeAll() {
    buffer.removeAll()
    frames.removeAll(keepingCapacity: true)
    changeCount = 0
  }

  /// How much the frames change, at most: what was taken back counts too.
  var load: LogLoad { LogLoad(changes: changeCount, byteCount: byteCount) }

  /// Gives the finished frames their headers as the ones that follow `end`, and returns what the log ends with then.
  func seal(behind end: LogEnd, durable: UInt64) -> (lsn: UInt64, chain: UInt64) {
    var (lsn, chain) = (end.lsn, end.chain)
    for (index, start) in frames.enumerated() {
      let stop = index + 1 < frames.count ? frames[index + 1] : buffer.count
      lsn += 1
      var header = FrameHeader(
        payloadByteCount: stop - start - FrameHeader.byteCount, lsn: lsn, durable: durable, timeline: end.timeline)
      header.seal(buffer.part(start..<stop), chain: chain)
      chain = header.checksum
    }
    return (lsn, chain)
  }

  // MARK: - A part of a frame

  var mark: Mark { Mark(byteCount: buffer.count, tableCount: numbered.count) }

  /// Takes back what was written since.
  func rewind(to mark: Mark) {
    if hasGivenUp { return }
    buffer.truncate(to: mark.byteCount)
    forgetTables(from: mark.tableCount)
  }

  // MARK: - Operations

  // Each returns false, and writes nothing, when the frame has become too large.

  func create(_ table: Table) -> Bool {
    if hasGivenUp { return true }
    guard hasRoom(for: 0), let number = number(of: table) else { return false }
    append(.create, number)
    return true
  }

  func clear(_ table: Table) -> Bool {
    if hasGivenUp { return true }
    guard hasRoom(for: 0), let number = number(of: table) else { return false }
    append(.clear, number)
    return true
  }

  @inline(__always)
  func put(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, in table: Table) -> Bool {
    if hasGivenUp { return true }
    guard hasRoom(for: key.count + value.count), let number = number(of: table) else { return false }
    append(.put, number)
    buffer.append(UInt32(truncatingIfNeeded: key.count))
    buffer.append(UInt64(value.count))
    buffer.append(key)
    buffer.append(value)
    return true
  }

  @inline(__always)
  func delete(_ key: UnsafeRawBufferPointer, in table: Table) -> Bool {
    if hasGivenUp { return true }
    guard hasRoom(for: key.count), let number = number(of: table) else { return false }
    append(.delete, number)
    buffer.append(UInt32(truncatingIfNeeded: key.count))
    buffer.append(key)
    return true
  }

  /// Makes the current frame the one of a bulk transaction.
  func markBulk() {
    buffer.append(LogOperationKind.bulk.rawValue)
  }

  private func append(_ kind: LogOperationKind, _ table: UInt32) {
    changeCount += 1
    buffer.append(kind.rawValue)
    buffer.append(table)
  }

  private func hasRoom(for byteCount: Int) -> Bool {
    buffer.count - start + byteCount <= Self.payloadBytesMax
  }

  // MARK: - Tables

  private func number(of table: Table) -> UInt32? {
    let index = Int(table.handle)
    if index < numbers.count, numbers[index] != Self.noNumber { return numbers[index] }
    return introduce(table)
  }

  private func introduce(_ table: Table) -> UInt32? {
    var name = table.name
    guard hasRoom(for: name.utf8.count) else { return nil }
    let index = Int(table.handle)
    if index >= numbers.count {
      numbers += repeatElement(Self.noNumber, count: index + 1 - numbers.count)
    }
    let number = UInt32(truncatingIfNeeded: numbered.count)
    numbers[index] = number
    numbered.append(table.handle)
    buffer.append(LogOperationKind.table.rawValue)
    name.withUTF8 { utf8 in
      buffer.append(UInt16(truncatingIfNeeded: utf8.count))
      buffer.append(UnsafeRawBufferPointer(utf8))
    }
    return number
  }

  private func forgetTables(from number: Int) {
    for handle in numbered[number...] { numbers[Int(handle)] = Self.noNumber }
    numbered.removeSubrange(number...)
  }
}
