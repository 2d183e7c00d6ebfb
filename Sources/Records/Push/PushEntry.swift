import FoundationEssentials

/// What local edits have done to a row since the server last answered for it.
///
/// The commit of the edits writes it; it goes when the server has answered for the last of them. A row that has one is *dirty*.
package struct PushEntry: Sendable, Equatable {
  /// What happened to the row first, which decides where it comes among the rows of one transaction.
  package enum FirstChange: UInt8, Sendable {
    case insert, update, delete
  }

  package let row: RowNumber
  /// Whether it was made here, and no server has answered for it yet.
  package var isInserted = false
  /// Whether it was handed out to be sent. A server may then have what was changed up to that, whether it has answered or not.
  package var isHandedOut = false
  /// Whether the server has refused it as it is, and nobody has edited it since or asked to try again.
  package var isParked = false
  /// Whether it is known what the server said against it.
  package var hasRefusal = false
  /// Whether it is known what the row was before.
  package var hasBase = false
  package var firstChange: FirstChange
  /// The transaction that made the row dirty.
  package var first: HistoryToken
  /// The last local transaction that changed the row.
  package private(set) var last: HistoryToken
  /// When that was. A store that was put back to a backup has the same tokens once more, but not at the same time.
  package private(set) var lastTime: Date
  /// What was changed, by name or by assigning an equal value: the numbers of properties in a `PropertySet`.
  package var changed = PropertySet()
  /// The identity that the row had when it was deleted; nil while the row is there.
  package var deletedIdentity: FieldValue?

  package var isDeleted: Bool { deletedIdentity != nil }

  init(_ row: RowNumber, _ change: FirstChange, in token: HistoryToken, at time: Date) {
    self.row = row
    firstChange = change
    first = token
    last = token
    lastTime = time
    isInserted = change == .insert
  }

  /// Notes that a transaction has changed the row again.
  mutating func noteChange(in token: HistoryToken, at time: Date) {
    last = token
    lastTime = time
  }
}

extension PushEntry {
  /// The first byte: what is true of the entry, and in two bits above what happened first.
  private struct Flags: OptionSet {
    let rawValue: UInt8
    static let inserted = Flags(rawValue: 1)
    static let handedOut = Flags(rawValue: 2)
    static let parked = Flags(rawValue: 4)
    static let base = Flags(rawValue: 8)
    static let deleted = Flags(rawValue: 16)
    static let refusal = Flags(rawValue: 32)
    static let firstChangeShift: UInt8 = 6
  }

  func write(to writer: inout CompactWriter, _ numbers: PropertyNumbers) {
    var flags = Flags(rawValue: firstChange.rawValue << Flags.firstChangeShift)
    if isInserted { flags.insert(.inserted) }
    if isHandedOut { flags.insert(.handedOut) }
    if isParked { flags.insert(.parked) }
    if hasBase { flags.insert(.base) }
    if isDeleted { flags.insert(.deleted) }
    if hasRefusal { flags.insert(.refusal) }
    writer.append(byte: flags.rawValue)
    writer.append(first.rawValue)
    writer.append(last.rawValue - first.rawValue)
    writer.append(fixed: lastTime.timeIntervalSinceReferenceDate.bitPattern.littleEndian)
    writer.append(counted: numbers.mask(of: changed))
    if let deletedIdentity { TombstoneValue.write(deletedIdentity, to: &writer) }
  }

  init(_ row: RowNumber, from reader: inout CompactReader, _ numbers: PropertyNumbers) throws(MalformedBytes) {
    let flags = Flags(rawValue: try reader.byte())
    guard let change = FirstChange(rawValue: flags.rawValue >> Flags.firstChangeShift) else { throw MalformedBytes() }
    self.init(row, change, in: HistoryToken(rawValue: try reader.number()), at: .distantPast)
    let (last, overflow) = first.rawValue.addingReportingOverflow(try reader.number())
    guard !overflow, first > .start else { throw MalformedBytes() }
    self.last = HistoryToken(rawValue: last)
    let seconds = Double(bitPattern: UInt64(littleEndian: try reader.fixed(UInt64.self)))
    lastTime = Date(timeIntervalSinceReferenceDate: seconds)
    isInserted = flags.contains(.inserted)
    isHandedOut = flags.contains(.handedOut)
    isParked = flags.contains(.parked)
    hasBase = flags.contains(.base)
    hasRefusal = flags.contains(.refusal)
    changed = numbers.set(of: [UInt8](try reader.counted()))
    if flags.contains(.deleted) { deletedIdentity = try TombstoneValue.read(from: &reader) }
    guard reader.isAtEnd else { throw MalformedBytes() }
  }
}
