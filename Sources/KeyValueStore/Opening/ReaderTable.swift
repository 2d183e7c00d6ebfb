import Glibc

/// The file that LMDB keeps its table of readers in, before LMDB opens it.
struct ReaderTable {
  /// More than LMDB needs before the first reader's place.
  private static let headerBytesMax = 1024
  private static let placeByteCount = 64

  let path: String
  let files: any FileSystem

  /// Makes sure that there is disk space for all of it.
  ///
  /// LMDB maps the file and writes to it through the map. On a full disk that would end the process, at the first touch of
  /// a page for which there is no space.
  func reserve(_ options: Environment.Options) throws(StoreError) {
    let byteCount = Self.headerBytesMax + Self.placeByteCount * (options.readersMax + Engine.ownReaders)
    do throws(FileError) {
      try files.reserve(byteCount, for: try files.open(path, for: .creating))
    } catch {
      // LMDB knows how to read without this file where nothing can be written.
      if options.access == .readOnly, error.operation == .open, error.errno == EROFS { return }
      throw StoreError(error, opening: .creating)
    }
  }
}
