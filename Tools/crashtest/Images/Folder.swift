import FoundationEssentials
import Glibc

/// Folders and files of the harness itself.
enum Folder {
  /// Makes sure that there is an empty folder.
  static func empty(_ path: String) throws {
    try? FileManager.default.removeItem(atPath: path)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  static func remove(_ path: String) {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Copies a folder with the files in it to a path that is free or is made so.
  static func copy(_ path: String, to newPath: String) throws {
    try empty(newPath)
    for name in try FileManager.default.contentsOfDirectory(atPath: path) {
      try write(try bytes(of: "\(path)/\(name)"), to: "\(newPath)/\(name)")
    }
  }

  static func names(in path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  static func bytes(of path: String) throws -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw HarnessError("'\(path)' can't be read: error \(errno)") }
    defer { close(descriptor) }
    let size = lseek(descriptor, 0, SEEK_END)
    return try [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let done = pread(descriptor, buffer.baseAddress.map { $0 + count }, size - count, count)
        guard done > 0 else { throw HarnessError("'\(path)' can't be read: error \(errno)") }
        count += done
      }
    }
  }

  static func write(_ bytes: [UInt8], to path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw HarnessError("'\(path)' can't be written: error \(errno)") }
    defer { close(descriptor) }
    try bytes.withUnsafeBytes { buffer in
      var done = 0
      while done < buffer.count {
        let count = Glibc.write(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done)
        guard count > 0 else { throw HarnessError("'\(path)' can't be written: error \(errno)") }
        done += count
      }
    }
  }
}

extension Folder {
  static func hasFile(_ path: String) -> Bool { access(path, F_OK) == 0 }

  static func removeFile(_ path: String) { _ = unlink(path) }
}

extension Folder {
  /// What can be read of a file whose size the system doesn't say, such as those in `/proc`.
  static func content(of path: String) throws -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw HarnessError("'\(path)' can't be read: error \(errno)") }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &bytes, bytes.count)
    return Array(bytes.prefix(max(0, count)))
  }
}

extension Folder {
  /// Calls `body` with the bytes of a file, which may be far larger than what it really holds.
  static func withMap<Result>(of path: String, _ body: (UnsafeRawBufferPointer) -> Result) throws -> Result {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw HarnessError("'\(path)' can't be read: error \(errno)") }
    defer { close(descriptor) }
    let size = lseek(descriptor, 0, SEEK_END)
    guard let start = mmap(nil, size, PROT_READ, MAP_SHARED, descriptor, 0), start != MAP_FAILED else {
      throw HarnessError("'\(path)' can't be mapped: error \(errno)")
    }
    defer { munmap(start, size) }
    return body(UnsafeRawBufferPointer(start: start, count: size))
  }
}
