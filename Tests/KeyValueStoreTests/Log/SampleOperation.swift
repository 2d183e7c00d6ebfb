import TestSupport

@testable import KeyValueStore

/// An operation of the log whose bytes are its own, so that it can be kept.
enum SampleOperation: Equatable {
  case table(String)
  case create(Int)
  case put(Int, key: [UInt8], value: [UInt8])
  case delete(Int, key: [UInt8])
  case clear(Int)
  case bulk

  init(_ operation: LogOperation) {
    switch operation {
    case .table(let name): self = .table(name)
    case .create(let table): self = .create(table)
    case .put(let table, let key, let value): self = .put(table, key: Array(key), value: Array(value))
    case .delete(let table, let key): self = .delete(table, key: Array(key))
    case .clear(let table): self = .clear(table)
    case .bulk: self = .bulk
    }
  }

  /// The operations of a payload, to its end.
  static func all(in payload: UnsafeRawBufferPointer) throws(LogOperations.Unreadable) -> [SampleOperation] {
    var operations = LogOperations(payload)
    var all: [SampleOperation] = []
    while let operation = try operations.next() { all.append(SampleOperation(operation)) }
    return all
  }
}

extension FrameCollector {
  /// Writes some random operations, and says what a reader should find.
  func addRandom(_ count: Int, _ random: inout SplitMix64) -> [SampleOperation] {
    let tables = (0..<4).map { Table(name: "table \($0)", handle: UInt32(2 + $0), opening: 0) }
    var known: [String] = []
    var expected: [SampleOperation] = []
    func number(_ table: Table) -> Int {
      if let number = known.firstIndex(of: table.name) { return number }
      known.append(table.name)
      expected.append(.table(table.name))
      return known.count - 1
    }
    for _ in 0..<count {
      let table = tables[random.below(tables.count)]
      let key = random.bytes(1 + random.below(20))
      switch random.below(8) {
      case 0:
        expected.append(.create(number(table)))
        _ = create(table)
      case 1:
        expected.append(.clear(number(table)))
        _ = clear(table)
      case 2, 3:
        expected.append(.delete(number(table), key: key))
        _ = key.withUnsafeBytes { delete($0, in: table) }
      default:
        let value = random.bytes(random.below(40))
        expected.append(.put(number(table), key: key, value: value))
        _ = key.withUnsafeBytes { key in value.withUnsafeBytes { put(key, $0, in: table) } }
      }
    }
    return expected
  }
}
