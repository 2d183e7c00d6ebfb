import CLMDB

/// Has the processor bring the memory of a value that will be read soon.
enum Prefetching {
  /// How much of a value is fetched: whoever reads further than that does so in the order of addresses, which processors foresee.
  private static let bytesMax = 512
  private static let cacheLineBytes = 64

  @inline(__always)
  static func begin(_ value: UnsafeRawBufferPointer) {
    guard let start = value.baseAddress else { return }
    for offset in stride(from: 0, to: min(value.count, bytesMax), by: cacheLineBytes) {
      prefetch_for_reading(start + offset)
    }
  }
}
