/// Reads pages of a data file with ordinary reads, into a buffer for each level of a tree.
///
/// Not through LMDB's map: there a page that the file does not have would end the process.
final class PageReader {
  let pageBytes: Int
  private let file: OpenFile
  private let files: any FileSystem
  private var buffers: [UnsafeMutableRawBufferPointer] = []

  init(_ file: OpenFile, _ files: any FileSystem, pageBytes: Int) {
    self.file = file
    self.files = files
    self.pageBytes = pageBytes
  }

  deinit {
    for buffer in buffers { buffer.deallocate() }
  }

  /// A page, valid until the next one is read for the same level.
  func page(_ number: UInt64, level: Int) throws(PageFault) -> UnsafeRawBufferPointer {
    while buffers.count <= level { buffers.append(.allocate(byteCount: pageBytes, alignment: 16)) }
    try read(number, at: 0, into: buffers[level])
    return UnsafeRawBufferPointer(buffers[level])
  }

  /// The first bytes of a run of overflow pages, which say what it is.
  func overflowHeader(_ number: UInt64) throws(PageFault) -> [UInt8] {
    try bytes(of: number, at: 0, NodePage.headerByteCount)
  }

  /// A part of the value that a run of overflow pages holds.
  func overflowBytes(_ number: UInt64, at offset: Int, _ byteCount: Int) throws(PageFault) -> [UInt8] {
    try bytes(of: number, at: NodePage.headerByteCount + offset, byteCount)
  }

  /// Whether the file has the last of some pages.
  func hasPages(from number: UInt64, _ count: UInt64) throws(PageFault) -> Bool {
    do { return try files.status(of: file).byteCount / pageBytes >= Int(number + count) } catch {
      throw .unreadable(errno: error.errno)
    }
  }

  private func bytes(of number: UInt64, at offset: Int, _ byteCount: Int) throws(PageFault) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: byteCount)
    let result = bytes.withUnsafeMutableBytes { buffer in
      Result { () throws(PageFault) in try read(number, at: offset, into: buffer) }
    }
    try result.get()
    return bytes
  }

  private func read(
    _ number: UInt64, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws(PageFault) {
    let count: Int
    do { count = try files.read(file, at: Int(number) * pageBytes + offset, into: buffer) } catch {
      throw .unreadable(errno: error.errno)
    }
    if count < buffer.count { throw .cutOff }
  }
}
