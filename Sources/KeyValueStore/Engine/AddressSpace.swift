import Glibc

/// The memory addresses that the process may use: plenty, unless somebody has limited them (`ulimit -v`).
enum AddressSpace {
  /// As many bytes as asked for, or the asked for halved until they are free and leave as much again for the rest of the
  /// process. LMDB takes no less than its file needs anyway, and the map grows when it is full.
  static func available(_ byteCount: Int) -> Int {
    if check(byteCount) == 0 { return byteCount }
    var rest = byteCount / 2
    while rest > Environment.Options.mapBytesMin, check(2 * rest) != 0 { rest /= 2 }
    return rest
  }

  /// The errno with which the system refuses a map of a size, or 0.
  static func check(_ byteCount: Int) -> Int32 {
    let probe = mmap(nil, byteCount, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard let probe, probe != MAP_FAILED else { return errno }
    munmap(probe, byteCount)
    return 0
  }
}
