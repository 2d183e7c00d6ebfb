import CLMDB
import Glibc

/// The operating system's files.
package struct SystemFiles: FileSystem {
  package init() {}

  package func status(of path: String) throws(FileError) -> FileStatus? {
    var info = stat()
    if stat(path, &info) == 0 { return FileStatus(info) }
    if errno == ENOENT { return nil }
    throw FileError(.status, path, errno: errno)
  }

  package func status(of file: OpenFile) throws(FileError) -> FileStatus {
    var info = stat()
    guard fstat(file.descriptor, &info) == 0 else { throw FileError(.status, file.path, errno: errno) }
    return FileStatus(info)
  }

  package func isRemote(_ file: OpenFile) throws(FileError) -> Bool {
    var info = statfs()
    guard fstatfs(file.descriptor, &info) == 0 else { throw FileError(.status, file.path, errno: errno) }
    return Self.networkFileSystems.contains(UInt32(truncatingIfNeeded: info.f_type))
  }

  /// The numbers by which the kernel knows NFS, SMB (three of them), AFS, Coda, Ceph and 9P.
  private static let networkFileSystems: [UInt32] = [
    0x6969, 0x517B, 0xFF53_4D42, 0xFE53_4D42, 0x5346_414F, 0x7375_7245, 0x00C3_6400, 0x0102_1997,
  ]

  package func names(in folder: String) throws(FileError) -> [String] {
    guard let stream = opendir(folder) else { throw FileError(.list, folder, errno: errno) }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else { break }
      let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        tuple.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: tuple.pointee)) {
          String(cString: $0)
        }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    guard errno == 0 else { throw FileError(.list, folder, errno: errno) }
    return names
  }

  package func makeFolder(_ path: String) throws(FileError) {
    guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw FileError(.makeFolder, path, errno: errno) }
  }

  package func open(_ path: String, for use: FileUse) throws(FileError) -> OpenFile {
    let flags =
      switch use {
      case .reading: O_RDONLY
      case .writing: O_RDWR
      case .creating: O_RDWR | O_CREAT
      }
    // Close-on-exec, because a program that this process starts would otherwise keep the writer lock. Not blocking, because
    // opening a pipe would wait for its other end; for files and folders it means nothing.
    let descriptor = Glibc.open(path, flags | O_CLOEXEC | O_NONBLOCK, 0o666)
    guard descriptor >= 0 else { throw FileError(.open, path, errno: errno) }
    return OpenFile(path: path, descriptor: descriptor)
  }

  package func read(
    _ file: OpenFile, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws(FileError) -> Int {
    var done = 0
    while done < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let count = pread(file.descriptor, rest.baseAddress, rest.count, offset + done)
      if count == 0 { break }
      if count > 0 { done += count } else if errno != EINTR { throw FileError(.read, file.path, errno: errno) }
    }
    return done
  }

  package func write(_ bytes: UnsafeRawBufferPointer, to file: OpenFile, at offset: Int) throws(FileError) {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      let count = pwrite(file.descriptor, rest.baseAddress, rest.count, offset + done)
      if count >= 0 {
        done += count
      } else if errno != EINTR {
        throw FileError(.write, file.path, errno: errno, isPartial: done > 0)
      }
    }
  }

  package func truncate(_ file: OpenFile, to byteCount: Int) throws(FileError) {
    guard ftruncate(file.descriptor, byteCount) == 0 else { throw FileError(.truncate, file.path, errno: errno) }
  }

  package func reserve(_ byteCount: Int, for file: OpenFile) throws(FileError) {
    let keepingSize: Int32 = 1
    guard fallocate(file.descriptor, keepingSize, 0, byteCount) == 0 || errno == EOPNOTSUPP || errno == ENOSYS else {
      throw FileError(.reserve, file.path, errno: errno)
    }
  }

  package func sync(_ file: OpenFile) throws(FileError) {
    guard fsync(file.descriptor) == 0 else { throw FileError(.sync, file.path, errno: errno) }
  }

  package func syncData(_ file: OpenFile) throws(FileError) {
    guard fdatasync(file.descriptor) == 0 else { throw FileError(.sync, file.path, errno: errno) }
  }

  package func rename(_ path: String, to newPath: String) throws(FileError) {
    guard Glibc.rename(path, newPath) == 0 else { throw FileError(.rename, path, errno: errno) }
  }

  package func remove(_ path: String) throws(FileError) {
    guard Glibc.remove(path) == 0 || errno == ENOENT else { throw FileError(.remove, path, errno: errno) }
  }
}

extension FileStatus {
  fileprivate init(_ info: stat) {
    isFolder = info.st_mode & S_IFMT == S_IFDIR
    byteCount = info.st_size
    isRemoved = info.st_nlink == 0
    identity = FileIdentity(device: UInt64(info.st_dev), inode: UInt64(info.st_ino))
  }
}
