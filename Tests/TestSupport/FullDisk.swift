import Glibc
import KeyValueStore
import Synchronization

/// A disk that is full whenever a test says so: then no file gets more space than it has. Needs no rights, unlike `SmallDisk`, but
/// what LMDB writes by itself passes it by.
package final class FullDisk: Sendable {
  private let isFull = Atomic(false)

  package init() {}

  package func fill() { isFull.store(true, ordering: .sequentiallyConsistent) }

  package func free() { isFull.store(false, ordering: .sequentiallyConsistent) }

  /// The system's files, on this disk.
  package var files: FaultyFiles {
    FaultyFiles { [self] (_, operation, path) throws(FileError) in
      guard operation == .reserve || operation == .makeFolder else { return }
      if isFull.load(ordering: .sequentiallyConsistent) { throw FileError(operation, path, errno: ENOSPC) }
    }
  }
}
