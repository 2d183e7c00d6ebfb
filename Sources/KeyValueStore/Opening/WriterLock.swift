import Glibc

/// The lock of the one process that may write to a store.
///
/// The file `store.lock` is never removed. The writer locks its second byte as long as it has the store open (the others are
/// for `Presence`), and writes a line with its process id and its name into the file, for those who come
/// in vain.
final class WriterLock: Sendable {
  private static let writerByte = 1
  private static let holderBytesMax = 256
  private static let lineEnd = UInt8(ascii: "\n")

  private let file: OpenFile
  private let files: any FileSystem
  private let process = ProcessGeneration.current

  /// Takes the lock; throws `StoreError.lockedByAnotherProcess` when it is taken.
  init(_ paths: StorePaths, _ files: any FileSystem) throws(StoreError) {
    self.files = files
    let holder: [UInt8]
    do {
      file = try files.open(paths[StorePaths.writerLock], for: .creating)
      if try files.lock(file, byte: Self.writerByte, .exclusive) { return }
      holder = try files.bytes(of: file, at: 0, Self.holderBytesMax)
    } catch {
      throw StoreError(error, opening: .creating)
    }
    let words = holder.prefix { $0 != Self.lineEnd }.split(separator: UInt8(ascii: " "), maxSplits: 1)
      .map { String(decoding: $0, as: UTF8.self) }
    throw .lockedByAnotherProcess(
      path: paths.directory, processID: words.first.flatMap { Int32($0) }, processName: words.dropFirst().first)
  }

  deinit {
    // A forked child has the same opening of the file, and would give up its parent's lock.
    if process != ProcessGeneration.current { return }
    try? files.unlock(file, byte: Self.writerByte)
  }

  /// Says in the file who has the lock.
  func nameHolder() throws(StoreError) {
    let program = CommandLine.arguments.first?.split(separator: "/").last ?? "?"
    // What an earlier line had more stays behind the end of this one. To cut the file first would make some file systems
    // wait for the medium when it is closed.
    let line = "\(getpid()) \(program)".utf8.prefix(Self.holderBytesMax - 1) + [Self.lineEnd]
    do { try files.write(line, to: file, at: 0) } catch { throw StoreError(error) }
  }

  /// Says in the file that nobody has the lock. The lock itself goes with the last reference.
  func forgetHolder() {
    // Whoever finds the lock free does not read the name, so it does not matter if this fails.
    try? files.write([Self.lineEnd], to: file, at: 0)
  }
}
