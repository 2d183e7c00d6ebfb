import FoundationEssentials

/// A folder of one test, removed with everything in it when the test is through.
package final class TemporaryFolder: Sendable {
  package let path: String

  package init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "swiftsync-test-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The path of an entry of the folder.
  package subscript(name: String) -> String { "\(path)/\(name)" }
}
