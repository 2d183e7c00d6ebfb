/// Disk space that the data file has been promised beyond its end.
///
/// What was acknowledged can't be refused any more when LMDB publishes it. So there has to be room for it before, and a
/// full disk shows while a write can still be refused.
struct Headroom {
  private static let byteCountMax = 8 << 20
  /// Room for what one backlog can add to a small file: all of its pages, copied, and what is new.
  private static let byteCountMin = 1 << 20

  private let data: DataFile
  private var promised = 0

  init(_ data: DataFile) {
    self.data = data
  }

  /// Makes sure that there is room, for a data file of which `usedByteCount` are in use.
  mutating func ensure(beyond usedByteCount: Int) throws(StoreError) {
    let wanted = min(Self.byteCountMax, usedByteCount + Self.byteCountMin)
    // Half of it may be used before it is asked for again.
    if usedByteCount + wanted / 2 <= promised { return }
    do { try data.reserve(usedByteCount + wanted) } catch { throw StoreError(error) }
    promised = usedByteCount + wanted
  }
}
