import Glibc

/// Where a store lay when it was opened. A store that is removed or replaced meanwhile can be read on, but is not the one that people
/// mean, and nobody commits to it.
struct StorePlace: Sendable {
  private let path: String
  private let file: FileNumber?

  private struct FileNumber: Equatable, Sendable {
    let device: dev_t
    let number: ino_t
  }

  init(folder: String) {
    path = "\(folder)/data.mdb"
    file = Self.file(at: path)
  }

  var isTheSame: Bool { Self.file(at: path) == file }

  private static func file(at path: String) -> FileNumber? {
    var status = stat()
    return stat(path, &status) == 0 ? FileNumber(device: status.st_dev, number: status.st_ino) : nil
  }
}
