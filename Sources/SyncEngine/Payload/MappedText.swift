import Glibc

/// The text of a file, mapped into memory.
///
/// Unchecked, because of the address: nobody writes to the memory, and it is there until the object goes.
package final class MappedText: @unchecked Sendable {
  private let address: UnsafeMutableRawPointer
  private let count: Int

  /// Maps all of an open file, which may be closed afterwards. It must not become shorter meanwhile: what is cut off can't be
  /// read any more, and ends the process.
  ///
  /// - Returns: Nil if the file can't be mapped, because it is empty or no regular file, say; `errno` has the reason.
  package init?(file descriptor: Int32) {
    count = Int(lseek(descriptor, 0, SEEK_END))
    guard count > 0, let address = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0), address != MAP_FAILED
    else { return nil }
    self.address = address
  }

  deinit { munmap(address, count) }

  var bytes: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: UnsafePointer(address.assumingMemoryBound(to: UInt8.self)), count: count)
  }

  /// Gives back the memory of a range. Whoever reads there all the same finds the file's bytes again.
  func release(_ range: Range<Int>) {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let start = (range.lowerBound + page - 1) / page * page
    let end = range.upperBound / page * page
    if start < end { madvise(address + start, end - start, MADV_DONTNEED) }
  }
}
