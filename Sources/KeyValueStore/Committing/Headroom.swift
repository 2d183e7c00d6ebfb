/// Disk space that the data file has been promised beyond its end.
///
/// What was acknowledged can't be refused any more when LMDB publishes it. So there has to be room for it before, and a
/// full disk shows while a write can still be refused.
struct Headroom {
  /// A change copies the pages from a root to its entry. In one transaction LMDB copies a page at most once, so a backlog
  /// needs no more than a copy of every page in use either.
  private static let copiedBytesPerChange = 5 * 4096
  /// Far more than a backlog of usual commits touches.
  private static let copiedBytesMax = 8 << 20
  /// New entries may leave the pages that they are on half empty.
  private static let bytesPerByteNew = 2
  /// For what else changes, such as the lists of free pages.
  private static let restBytes = 256 << 10
  /// What is asked for in advance, so that not every write asks.
  private static let advanceBytes = 1 << 20

  private let data: DataFile
  private var promised = 0

  init(_ data: DataFile) {
    self.data = data
  }

  /// Makes sure that there is room for a backlog, in a data file of which `usedByteCount` are in use.
  mutating func ensure(beyond usedByteCount: Int, for load: LogLoad) throws(StoreError) {
    let copied = min(usedByteCount, Self.copiedBytesMax, load.changes * Self.copiedBytesPerChange)
    let needed = usedByteCount + copied + Self.bytesPerByteNew * load.byteCount + Self.restBytes
    if needed <= promised { return }
    do throws(FileError) {
      do throws(FileError) {
        try data.reserve(needed + Self.advanceBytes)
        promised = needed + Self.advanceBytes
      } catch {
        // There may still be room for what is needed now.
        try data.reserve(needed)
        promised = needed
      }
    } catch {
      throw StoreError(error)
    }
  }
}

/// How much some frames change.
struct LogLoad: Equatable {
  var changes = 0
  var byteCount = 0

  static func + (left: LogLoad, right: LogLoad) -> LogLoad {
    LogLoad(changes: left.changes + right.changes, byteCount: left.byteCount + right.byteCount)
  }
}
