/// One change of a commit, as the log has it. Keys and values are as LMDB stores them.
///
/// Everything that depends on the state of the store has been decided when an operation is written down: it says what
/// happened, not what was asked for, so that it can be repeated.
package enum LogOperation: Equatable {
  /// Gives a table the next number in this frame, from 0.
  case table(name: String)
  /// Creates a table if it is absent.
  case create(table: Int)
  case put(table: Int, key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)
  case delete(table: Int, key: UnsafeRawBufferPointer)
  /// Removes all entries of a table.
  case clear(table: Int)
  /// The changes of this commit are in LMDB only. It is the only operation of its frame.
  case bulk

  package static func == (left: LogOperation, right: LogOperation) -> Bool {
    switch (left, right) {
    case (.table(let left), .table(let right)): left == right
    case (.create(let left), .create(let right)), (.clear(let left), .clear(let right)): left == right
    case (.put(let table, let key, let value), .put(let otherTable, let otherKey, let otherValue)):
      table == otherTable && key.hasSameBytes(as: otherKey) && value.hasSameBytes(as: otherValue)
    case (.delete(let table, let key), .delete(let otherTable, let otherKey)):
      table == otherTable && key.hasSameBytes(as: otherKey)
    case (.bulk, .bulk): true
    default: false
    }
  }
}

/// The first byte of an operation.
enum LogOperationKind: UInt8 {
  /// None: the rest of the payload is zeros that make its length a multiple of 8.
  case end = 0
  case table = 1
  case create = 2
  case put = 3
  case delete = 4
  case clear = 5
  case bulk = 6
}

/// Reads the operations of a frame's payload one by one. The bytes may be any.
package struct LogOperations {
  /// The payload has bytes at an offset that are no operation.
  package struct Unreadable: Error, Equatable {
    package let offset: Int
  }

  private let payload: UnsafeRawBufferPointer
  private var offset = 0
  private var tableCount = 0

  package init(_ payload: UnsafeRawBufferPointer) {
    self.payload = payload
  }

  /// The next operation, whose bytes lie in the payload; nil at its end.
  package mutating func next() throws(Unreadable) -> LogOperation? {
    guard offset < payload.count else { return nil }
    let start = offset
    do throws(Unreadable) {
      guard let kind = LogOperationKind(rawValue: try number()) else { throw Unreadable(offset: start) }
      switch kind {
      case .end:
        guard payload[start...].allSatisfy({ $0 == 0 }) else { throw Unreadable(offset: start) }
        offset = payload.count
        return nil
      case .table:
        let name = try bytes(Int(try number(as: UInt16.self)))
        tableCount += 1
        return .table(name: String(decoding: name, as: UTF8.self))
      case .create: return .create(table: try table())
      case .put:
        let table = try table()
        let keyByteCount = Int(try number(as: UInt32.self))
        guard let valueByteCount = Int(exactly: try number(as: UInt64.self)) else { throw Unreadable(offset: start) }
        return .put(table: table, key: try bytes(keyByteCount), value: try bytes(valueByteCount))
      case .delete:
        let table = try table()
        return .delete(table: table, key: try bytes(Int(try number(as: UInt32.self))))
      case .clear: return .clear(table: try table())
      case .bulk: return .bulk
      }
    } catch {
      throw Unreadable(offset: start)
    }
  }

  private mutating func table() throws(Unreadable) -> Int {
    let number = Int(try number(as: UInt32.self))
    guard number < tableCount else { throw Unreadable(offset: offset) }
    return number
  }

  private mutating func number<Number: FixedWidthInteger>(as type: Number.Type = Number.self) throws(Unreadable)
    -> Number
  {
    ByteReader(bytes: try bytes(Number.bitWidth / 8)).number(at: 0)
  }

  private mutating func bytes(_ count: Int) throws(Unreadable) -> UnsafeRawBufferPointer {
    guard count <= payload.count - offset else { throw Unreadable(offset: offset) }
    defer { offset += count }
    return UnsafeRawBufferPointer(rebasing: payload[offset..<(offset + count)])
  }
}
