import CLMDB
import CXXHash
import Glibc

/// How a caller's key of any length becomes one that LMDB can hold.
///
/// LMDB holds keys up to 511 bytes. Up to `plainBytesMax` a key is stored as it is. A longer one is stored as its first
/// `plainBytesMax` bytes, the *stem*, and 16 bytes of hash; the whole key stands in front of the value (`LongEntry`). No
/// plain key has 511 bytes, so the length of a stored key tells which kind it is.
enum StoredKey {
  /// The longest key that is stored as it is.
  static let plainBytesMax = 495
  /// What every longer key becomes: LMDB's limit.
  static let longByteCount = 511
  /// The longest key a caller may use: far beyond any sensible one, and small beside the largest value.
  static let callerBytesMax = 1 << 24

  /// Calls `body` with the stored form of `key`, which must not be empty.
  @inline(__always)
  static func with<Result>(
    _ key: UnsafeRawBufferPointer, seed: UInt64, _ body: (inout MDB_val) throws -> Result
  ) rethrows -> Result {
    if key.count <= plainBytesMax {
      var stored = MDB_val(key)
      return try body(&stored)
    }
    return try withLong(key, seed: seed, body)
  }

  @inline(never)
  private static func withLong<Result>(
    _ key: UnsafeRawBufferPointer, seed: UInt64, _ body: (inout MDB_val) throws -> Result
  ) rethrows -> Result {
    try withUnsafeTemporaryAllocation(byteCount: longByteCount, alignment: 1) { buffer in
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: key[..<plainBytesMax]))
      let hash = XXH3_128bits_withSeed(key.baseAddress, key.count, seed)
      let tail = UnsafeMutableRawBufferPointer(rebasing: buffer[plainBytesMax...])
      tail.storeBytes(of: hash.high64.bigEndian, toByteOffset: 0, as: UInt64.self)
      tail.storeBytes(of: hash.low64.bigEndian, toByteOffset: 8, as: UInt64.self)
      var stored = MDB_val(UnsafeRawBufferPointer(buffer))
      return try body(&stored)
    }
  }
}

/// What a long key has for a value: the length of the key in four little-endian bytes, the key, the caller's value.
enum LongEntry {
  static let headerByteCount = 4

  /// How many bytes an entry has beside the caller's value.
  static func overhead(of key: UnsafeRawBufferPointer) -> Int { headerByteCount + key.count }

  /// Writes header and key, and returns the rest of `buffer`, for the value.
  static func begin(
    _ buffer: UnsafeMutableRawBufferPointer, key: UnsafeRawBufferPointer
  ) -> UnsafeMutableRawBufferPointer {
    buffer.storeBytes(of: UInt32(truncatingIfNeeded: key.count).littleEndian, as: UInt32.self)
    let afterHeader = UnsafeMutableRawBufferPointer(rebasing: buffer[headerByteCount...])
    afterHeader.copyMemory(from: key)
    return UnsafeMutableRawBufferPointer(rebasing: afterHeader[key.count...])
  }

  /// Takes an entry apart; nil when its bytes can't be one.
  static func parts(_ entry: UnsafeRawBufferPointer) -> (key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)? {
    guard entry.count >= headerByteCount else { return nil }
    let keyByteCount = Int(UInt32(littleEndian: entry.loadUnaligned(as: UInt32.self)))
    let end = headerByteCount + keyByteCount
    guard keyByteCount > StoredKey.plainBytesMax, end <= entry.count else { return nil }
    return (
      UnsafeRawBufferPointer(rebasing: entry[headerByteCount..<end]), UnsafeRawBufferPointer(rebasing: entry[end...])
    )
  }
}

extension MDB_val {
  /// LMDB's view of bytes that it only reads.
  @inline(__always)
  init(_ bytes: UnsafeRawBufferPointer) {
    self.init(mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
  }

  /// The bytes that LMDB points at.
  @inline(__always)
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: mv_data, count: mv_size) }
}

extension UnsafeRawBufferPointer {
  /// Less than, equal to or greater than zero, as these bytes sort before, with or after `other`.
  func compare(_ other: UnsafeRawBufferPointer) -> Int {
    if let left = baseAddress, let right = other.baseAddress {
      let order = memcmp(left, right, Swift.min(count, other.count))
      if order != 0 { return Int(order) }
    }
    return count - other.count
  }

  func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
    count == other.count && compare(other) == 0
  }
}
