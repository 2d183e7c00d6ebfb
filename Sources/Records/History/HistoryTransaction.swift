import FoundationEssentials

/// What one commit did, as the history has kept it.
package struct HistoryTransaction: Sendable {
  package let token: HistoryToken
  /// When it was made, by the clock of the machine.
  package let timestamp: Date
  /// Who wrote: nil for the application's own edits.
  package let author: String?
  /// The name of the program that wrote.
  package let writer: String
  let sections: [HistorySection]

  /// The bits of the first byte.
  private static let hasAuthor: UInt8 = 1

  init(
    token: HistoryToken, timestamp: Date, author: String?, writer: String, sections: [HistorySection]
  ) {
    self.token = token
    self.timestamp = timestamp
    self.author = author
    self.writer = writer
    self.sections = sections
  }

  /// The changes in terms of a catalog. Entities and properties that it does not have any more are left out.
  package func changes(_ catalog: Catalog) -> ChangeSet {
    var result = ChangeSet(author: author)
    result.token = token
    result.timestamp = timestamp
    for section in sections {
      guard let entity = catalog[section.entity] else { continue }
      result.entities[section.entity] = section.changes(of: entity)
    }
    return result
  }

  // MARK: Bytes

  func write(to writer: inout CompactWriter) {
    writer.append(byte: author == nil ? 0 : HistoryTransaction.hasAuthor)
    writer.append(fixed: timestamp.timeIntervalSinceReferenceDate.bitPattern.littleEndian)
    if let author { writer.append(counted: author.utf8) }
    writer.append(counted: self.writer.utf8)
    for section in sections { section.write(to: &writer) }
  }

  init(token: HistoryToken, from reader: inout CompactReader) throws(MalformedBytes) {
    let flags = try reader.byte()
    guard flags & ~HistoryTransaction.hasAuthor == 0 else { throw MalformedBytes() }
    self.token = token
    let seconds = Double(bitPattern: UInt64(littleEndian: try reader.fixed(UInt64.self)))
    timestamp = Date(timeIntervalSinceReferenceDate: seconds)
    author = flags & HistoryTransaction.hasAuthor == 0 ? nil : String(decoding: try reader.counted(), as: UTF8.self)
    writer = String(decoding: try reader.counted(), as: UTF8.self)
    var sections: [HistorySection] = []
    while !reader.isAtEnd { sections.append(try HistorySection(from: &reader)) }
    self.sections = sections
  }
}
