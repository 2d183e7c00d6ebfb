import Glibc

/// The lock of the one process that may write to a store.
///
/// The file `store.lock` is never removed. The writer locks its second byte as long as it has the store open (the first is
/// kept for the presence of readers), and writes its process id and its name into the file for those who come in vain.
struct WriterLock: Sendable {
  private static let writerByte = 1
  private static let holderBytesMax = 256

  private let file: OpenFile
  private let files: any FileSystem

  /// Takes the lock; throws `StoreError.lockedByAnotherProcess` when it is taken.
  init(_ paths: StorePaths, _ files: any FileSystem) throws(StoreError) {
    self.files = files
    let holder: [UInt8]
    do {
      file = try files.open(paths[StorePaths.writerLock], for: .creating)
      if try files.lock(file, byte: Self.writerByte) { return }
      holder = try files.bytes(of: file, at: 0, Self.holderBytesMax)
    } catch {
      throw StoreError(error, opening: .creating)
    }
    // "1234 name", and a line feed.
    let words = String(decoding: holder, as: UTF8.self).split(separator: "\n").first?.split(
      separator: " ", maxSplits: 1)
    throw .lockedByAnotherProcess(
      path: paths.directory, processID: words?.first.flatMap { Int32($0) },
      processName: words?.dropFirst().first.map { String($0) })
  }

  /// Says in the file who has the lock.
  func nameHolder() throws(StoreError) {
    let program = CommandLine.arguments.first?.split(separator: "/").last ?? "?"
    let line = Array("\(getpid()) \(program)\n".utf8.prefix(Self.holderBytesMax))
    do {
      try files.truncate(file, to: 0)
      try files.write(line, to: file, at: 0)
    } catch {
      throw StoreError(error)
    }
  }

  /// Says in the file that nobody has the lock. The lock itself goes with the file's last reference.
  func forgetHolder() {
    // Whoever finds the lock free does not read the name, so it does not matter if this fails.
    try? files.truncate(file, to: 0)
  }
}
