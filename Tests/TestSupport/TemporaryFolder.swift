import FoundationEssentials

/// A folder of one test, removed with everything in it when the test is through. It is in memory where the system has a
/// file system there, because tests create hundreds of stores and wait for the medium with each.
package final class TemporaryFolder: Sendable {
  private static let memory = "/dev/shm"

  package let path: String

  package init() throws {
    let parent =
      FileManager.default.isWritableFile(atPath: Self.memory)
      ? Self.memory : FileManager.default.temporaryDirectory.path
    path = "\(parent)/swiftsync-test-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The path of an entry of the folder.
  package subscript(name: String) -> String { "\(path)/\(name)" }
}
