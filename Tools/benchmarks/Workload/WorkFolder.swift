import Foundation

/// A folder for the stores of one case, removed with all that is in it.
final class WorkFolder {
  let path: String

  /// Makes the folder inside of another one, which decides on which file system everything is measured.
  init(in parent: String, for name: String) throws {
    path = parent + "/benchmark-\(name)-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The path of an entry of the folder.
  subscript(name: String) -> String { path + "/" + name }

  /// How many bytes the files of a folder have together.
  static func byteCount(of folder: String) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: folder).reduce(0) { total, name in
      total + (try byteCount(ofFile: folder + "/" + name))
    }
  }

  static func byteCount(ofFile path: String) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
  }
}
