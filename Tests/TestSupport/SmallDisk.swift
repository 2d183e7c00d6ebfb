import Dispatch
import Glibc
import KeyValueStore
import Synchronization

/// A file system of a few hundred kilobytes, to see what happens when it is full.
///
/// It is mounted in a mount namespace of the calling thread's own, which threads started from it share, so nobody else
/// sees it and it is gone with them. Only an administrator may do that.
package enum SmallDisk {
  private typealias Unshare = @convention(c) (Int32) -> Int32
  private typealias Mount =
    @convention(c) (UnsafePointer<CChar>?, UnsafePointer<CChar>, UnsafePointer<CChar>?, UInt, UnsafePointer<CChar>?)
    -> Int32

  /// Whether this process may mount one.
  package static let isPossible: Bool = {
    guard let folder = try? TemporaryFolder() else { return false }
    let answer = Answer()
    OtherThread.start {
      answer.isMounted.store(mount(at: folder.path, byteCount: 1 << 20), ordering: .releasing)
      answer.isThere.signal()
    }
    answer.isThere.wait()
    return answer.isMounted.load(ordering: .acquiring)
  }()

  private final class Answer: Sendable {
    let isMounted = Atomic(false)
    let isThere = DispatchSemaphore(value: 0)
  }

  /// Mounts one for the calling thread; false when it may not.
  package static func mount(at path: String, byteCount: Int) -> Bool {
    // Glibc keeps these two from Swift: one is an extension, the other's header is not in its module.
    guard let unshare = dlsym(nil, "unshare"), let mount = dlsym(nil, "mount") else { return false }
    let newNamespace: Int32 = 0x20000
    let privatelyAndBelow: UInt = 1 << 18 | 1 << 14
    guard unsafeBitCast(unshare, to: Unshare.self)(newNamespace) == 0 else { return false }
    let mountFunction = unsafeBitCast(mount, to: Mount.self)
    guard mountFunction(nil, "/", nil, privatelyAndBelow, nil) == 0 else { return false }
    return mountFunction("tmpfs", path, "tmpfs", 0, "size=\(byteCount)") == 0
  }

  /// Fills the disk with a file, up to some pages.
  package static func fill(_ path: String, pagesLeft: Int) throws {
    let files = SystemFiles()
    let filling = try files.open(path + "/filling", for: .creating)
    let page = [UInt8](repeating: 1, count: 4096)
    var count = 0
    do {
      while true {
        try page.withUnsafeBytes { try files.write($0, to: filling, at: count * page.count) }
        count += 1
      }
    } catch let error as FileError where error.errno == ENOSPC {
      try files.truncate(filling, to: (count - pagesLeft) * page.count)
    }
  }

  /// Gives the space back, even while a process that is just being started still has the file open.
  package static func free(_ path: String) throws {
    let files = SystemFiles()
    try files.truncate(files.open(path + "/filling", for: .writing), to: 0)
    try files.remove(path + "/filling")
  }
}
