import CLMDB

/// Somebody who has the store open for reading, in whatever process, and the snapshot that it has open.
public struct ReaderPlace: Sendable, Hashable {
  /// The process.
  public var process: Int32
  /// The number of the transaction that the snapshot shows; nil when none is open. The space that later transactions have freed is
  /// not used again as long as it is.
  public var transaction: Int?
}

extension Environment {
  /// All places for snapshots that are taken, in all processes, this one included.
  ///
  /// Throws what the system refuses.
  public func readers() throws -> [ReaderPlace] {
    try checkOpen()
    var text = ""
    let code = withUnsafeMutablePointer(to: &text) { text in
      mdb_reader_list(
        core.engine.handle,
        { line, text in
          guard let line, let text else { return 0 }
          text.assumingMemoryBound(to: String.self).pointee += String(cString: line)
          return 0
        }, text)
    }
    // The number of bytes that were written, or an error.
    if code < 0 { try core.engine.check(code, "Listing the readers") }
    return text.split(separator: "\n").compactMap { line in
      let columns = line.split(separator: " ")
      // The heading has words in place of numbers.
      guard columns.count == 3, let process = Int32(columns[0]) else { return nil }
      return ReaderPlace(process: process, transaction: Int(columns[2]))
    }
  }

  /// Frees the places of readers whose processes have died without giving them back. Those of others are not touched.
  ///
  /// A process that opens the store for writing does this by itself.
  /// - Returns: How many there were.
  @discardableResult
  public func clearStaleReaders() throws -> Int {
    try checkOpen()
    return try core.engine.clearStaleReaders()
  }
}
