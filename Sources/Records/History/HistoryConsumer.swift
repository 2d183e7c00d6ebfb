import FoundationEssentials
import KeyValueStore

/// Somebody who reads the history, by name, and how far.
package struct HistoryConsumer: Sendable, Equatable {
  package let name: String
  /// Up to here it has seen everything.
  package var token: HistoryToken
  /// When it last said so.
  package var timestamp: Date
  /// An author whose transactions it does not need.
  package var ignoredAuthor: String?

  package init(name: String, token: HistoryToken, timestamp: Date, ignoredAuthor: String?) {
    self.name = name
    self.token = token
    self.timestamp = timestamp
    self.ignoredAuthor = ignoredAuthor
  }

  /// The token, the seconds since the reference date, and the author with a 1 before it, or a 0.
  var bytes: [UInt8] {
    var writer = CompactWriter()
    writer.append(token.rawValue)
    writer.append(fixed: timestamp.timeIntervalSinceReferenceDate.bitPattern.littleEndian)
    writer.append(byte: ignoredAuthor == nil ? 0 : 1)
    if let ignoredAuthor { writer.append(counted: ignoredAuthor.utf8) }
    return writer.bytes
  }

  init(name: String, from reader: inout CompactReader) throws(MalformedBytes) {
    self.name = name
    token = HistoryToken(rawValue: try reader.number())
    let seconds = Double(bitPattern: UInt64(littleEndian: try reader.fixed(UInt64.self)))
    timestamp = Date(timeIntervalSinceReferenceDate: seconds)
    ignoredAuthor = try reader.byte() == 0 ? nil : String(decoding: try reader.counted(), as: UTF8.self)
    guard reader.isAtEnd else { throw MalformedBytes() }
  }
}

extension RecordSnapshot {
  /// The consumers by name.
  ///
  /// One whose token is below `oldestHistoryToken` has fallen behind: it has to begin with the rows.
  package func historyConsumers() throws -> [HistoryConsumer] {
    var result: [HistoryConsumer] = []
    try snapshot.scan(tables.meta, in: .prefix(MetaKey.consumerPrefix)) { key, value in
      let name = String(decoding: key.dropFirst(MetaKey.consumerPrefix.count), as: UTF8.self)
      guard let content = SealedValue.open(value, under: key) else { throw damagedEntry(tables.meta) }
      result.append(try consumer(name, content))
      return .continue
    }
    return result
  }

  package func historyConsumer(named name: String) throws -> HistoryConsumer? {
    let key = MetaKey.consumer(name)
    guard let value = try snapshot.value(for: key, in: tables.meta) else { return nil }
    guard let content = SealedValue.open(value, under: key) else { throw damagedEntry(tables.meta) }
    return try content.withUnsafeBytes { try consumer(name, $0) }
  }

  private func consumer(_ name: String, _ content: UnsafeRawBufferPointer) throws -> HistoryConsumer {
    var reader = CompactReader(content)
    do {
      return try HistoryConsumer(name: name, from: &reader)
    } catch {
      throw damagedEntry(tables.meta)
    }
  }
}

extension RecordTransaction {
  /// Notes that a consumer has seen everything up to a token. It exists from then on; its token never moves back.
  ///
  /// - Parameters:
  ///   - name: Who.
  ///   - token: `lastHistoryToken` for a consumer that begins now.
  ///   - ignoredAuthor: An author whose transactions are not kept for it.
  ///   - now: The time to note.
  /// - Throws: `RecordError.unknownHistoryToken` for a token that the store has not come to.
  package func advanceHistoryConsumer(
    _ name: String, to token: HistoryToken, ignoring ignoredAuthor: String? = nil, now: Date = Date()
  ) throws {
    let last = try lastHistoryToken()
    if token > last { throw RecordError.unknownHistoryToken(token: token.rawValue, last: last.rawValue) }
    let known = try historyConsumer(named: name)?.token ?? token
    try write(
      HistoryConsumer(name: name, token: max(known, token), timestamp: now, ignoredAuthor: ignoredAuthor))
  }

  func write(_ consumer: HistoryConsumer) throws {
    let key = MetaKey.consumer(consumer.name)
    try transaction.put(SealedValue.seal(consumer.bytes, under: key), for: key, in: tables.meta)
  }

  /// Ends a consumer; nothing is kept for its sake any more.
  ///
  /// - Returns: False when there is none of that name.
  @discardableResult
  package func removeHistoryConsumer(_ name: String) throws -> Bool {
    try transaction.delete(MetaKey.consumer(name), in: tables.meta)
  }
}
