import FoundationEssentials

/// Why a server has not taken a row's changes, and how often it was asked.
package struct PushRefusal: Sendable, Equatable {
  /// In words, for whoever has to decide what becomes of it.
  package var reason: String
  /// By which a program tells reasons apart.
  package var code: String?
  /// How often it was refused.
  package var attempts: Int
  /// When it was first refused.
  package var since: Date

  package init(reason: String, code: String?, attempts: Int = 1, since: Date) {
    self.reason = reason
    self.code = code
    self.attempts = attempts
    self.since = since
  }

  func write(to writer: inout CompactWriter) {
    writer.append(byte: code == nil ? 0 : 1)
    writer.append(fixed: since.timeIntervalSinceReferenceDate.bitPattern.littleEndian)
    writer.append(count: attempts)
    writer.append(counted: reason.utf8)
    if let code { writer.append(counted: code.utf8) }
  }

  init(from reader: inout CompactReader) throws(MalformedBytes) {
    let hasCode = try reader.byte() != 0
    let seconds = Double(bitPattern: UInt64(littleEndian: try reader.fixed(UInt64.self)))
    since = Date(timeIntervalSinceReferenceDate: seconds)
    guard let attempts = Int(exactly: try reader.number()) else { throw MalformedBytes() }
    self.attempts = attempts
    reason = String(decoding: try reader.counted(), as: UTF8.self)
    code = hasCode ? String(decoding: try reader.counted(), as: UTF8.self) : nil
    guard reader.isAtEnd else { throw MalformedBytes() }
  }
}
