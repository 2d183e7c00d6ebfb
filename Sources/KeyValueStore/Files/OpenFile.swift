import Glibc

/// An open file or folder; it is closed when the last reference goes.
package final class OpenFile: Sendable {
  package let path: String
  package let descriptor: Int32

  /// Takes over an open descriptor.
  package init(path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
  }
}
