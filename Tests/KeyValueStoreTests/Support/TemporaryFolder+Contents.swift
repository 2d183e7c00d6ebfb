import TestSupport

@testable import KeyValueStore

extension TemporaryFolder {
  /// Every file below with its content, and every folder with none: to see that nothing has changed.
  func contents() throws -> [String: [UInt8]] {
    try Self.contents(of: path, SystemFiles())
  }

  private static func contents(of path: String, _ files: SystemFiles) throws -> [String: [UInt8]] {
    var found: [String: [UInt8]] = [:]
    for name in try files.names(in: path) {
      let child = path + "/" + name
      if try files.status(of: child)?.isFolder == true {
        found[child] = []
        found.merge(try contents(of: child, files)) { first, _ in first }
      } else {
        found[child] = try read(child)
      }
    }
    return found
  }

  static func read(_ path: String) throws -> [UInt8] {
    let files = SystemFiles()
    let file = try files.open(path, for: .reading)
    return try files.bytes(of: file, at: 0, try files.status(of: file).byteCount)
  }

  static func write(_ bytes: [UInt8], to path: String) throws {
    let files = SystemFiles()
    let file = try files.open(path, for: .creating)
    try files.truncate(file, to: 0)
    try files.write(bytes, to: file, at: 0)
  }
}
