import Foundation

/// The system's pages of files.
enum PageCache {
  /// Has the system forget the files of a folder, as far as they are on the medium.
  static func drop(filesIn folder: String) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      try withFile(folder + "/" + name) { posix_fadvise($0, 0, 0, POSIX_FADV_DONTNEED) }
    }
  }

  /// Brings the files of a folder to the medium, so that nobody else has to.
  static func sync(filesIn folder: String) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      try withFile(folder + "/" + name) { fsync($0) == 0 ? 0 : errno }
    }
  }

  private static func withFile(_ path: String, _ body: (Int32) -> Int32) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { throw POSIXError.last }
    defer { close(descriptor) }
    let code = body(descriptor)
    if code != 0 { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
  }
}
