import TestSupport
import Testing

@testable import KeyValueStore

/// Random transactions of every kind on a store and on dictionaries, while the store is closed, killed and opened again: what
/// a recovery makes of the log is what was committed.
@Suite("A store against dictionaries, through closings and kills")
struct StoreModelTests {
  private struct Refusal: Error {}

  private typealias Contents = [String: [[UInt8]: [UInt8]]]

  /// One thing that a transaction does.
  private indirect enum Step: Sendable {
    case put(Int, [UInt8], [UInt8])
    case delete(Int, [UInt8])
    case clear(Int)
    case sorted(Int, [(key: [UInt8], value: [UInt8]?)])
    case nested([Step], isUndone: Bool)
    /// More than the log takes.
    case bulk(Int, UInt8)
  }

  @Test("whatever happens, the store holds what was committed", arguments: 1...10 as ClosedRange<UInt64>)
  func agrees(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    var random = SplitMix64(seed: seed)
    var source = KeySource(seed: seed &* 31)
    var path = folder["0"]
    var expected: Contents = [:]
    for life in 1...6 {
      var options = Environment.Options(mapBytesInitial: random.chance(50) ? 1 << 20 : 64 << 30)
      options.checkpoints.publishesMax = 1 + random.below(20)
      options.durability = random.chance(50) ? .full : .relaxed
      let environment = try Environment(at: path, options: options)
      try Self.compare(environment, expected)
      for _ in 0..<(5 + random.below(25)) {
        try Self.transact(environment, &expected, &random, &source)
        if random.chance(20) { try Self.compare(environment, expected) }
      }
      if random.chance(60) {
        // As if the process had been killed: what is in the files now is what the next one finds.
        let copy = folder["\(life)"]
        try StoreSurgery.copy(path, to: copy)
        path = copy
      }
      environment.close()
    }
    let environment = try Environment(at: path, options: .init(access: .readOnly))
    try Self.compare(environment, expected)
    environment.close()
    let report = try PageCheck.report(newestIn: path)
    #expect(report.problems.isEmpty)
  }

  private static func transact(
    _ environment: Environment, _ expected: inout Contents, _ random: inout SplitMix64, _ source: inout KeySource
  ) throws {
    let names = (0..<(1 + random.below(3))).map { _ in "table \(random.below(5))" }
    let tables = try environment.tables(names)
    for name in names where expected[name] == nil { expected[name] = [:] }
    let steps = Self.steps(names.count, &random, &source, depth: 0)
    let isRefused = random.chance(15)
    do {
      try environment.write { transaction in
        for step in steps { try apply(step, transaction, tables) }
        if isRefused { throw Refusal() }
      }
      for step in steps { apply(step, &expected, names) }
    } catch is Refusal {}
  }

  private static func steps(
    _ tableCount: Int, _ random: inout SplitMix64, _ source: inout KeySource, depth: Int
  ) -> [Step] {
    (0..<(1 + random.below(10))).map { _ in
      let table = random.below(tableCount)
      switch random.below(24) {
      case 0..<10: return .put(table, source.next(), source.value())
      case 10..<15: return .delete(table, source.next())
      case 15: return .clear(table)
      case 16..<19:
        let entries = (0..<(1 + random.below(20))).map { _ in
          (key: source.next(), value: random.chance(25) ? nil : source.value())
        }
        return .sorted(table, random.chance(80) ? entries.sorted { $0.key.precedes($1.key) } : entries)
      case 19 where random.chance(20): return .bulk(table, UInt8(random.below(256)))
      default:
        if depth > 2 { return .delete(table, source.next()) }
        return .nested(steps(tableCount, &random, &source, depth: depth + 1), isUndone: random.chance(40))
      }
    }
  }

  private static let bulkKeys = (0..<6).map { Array("bulk \($0)".utf8) }

  private static func apply(_ step: Step, _ transaction: WriteTransaction, _ tables: [Table]) throws {
    switch step {
    case .put(let table, let key, let value): try transaction.put(value, for: key, in: tables[table])
    case .delete(let table, let key): try transaction.delete(key, in: tables[table])
    case .clear(let table): try transaction.removeAll(in: tables[table])
    case .sorted(let table, let entries):
      try transaction.withSortedWriter(in: tables[table]) { writer in
        for (key, value) in entries {
          if let value { try writer.put(value, for: key) } else { try writer.delete(key) }
        }
      }
    case .bulk(let table, let byte):
      let value = [UInt8](repeating: byte, count: 1 << 20)
      for key in bulkKeys { try transaction.put(value, for: key, in: tables[table]) }
    case .nested(let steps, let isUndone):
      do {
        try transaction.nested { inner in
          for step in steps { try apply(step, inner, tables) }
          if isUndone { throw Refusal() }
        }
      } catch is Refusal {}
    }
  }

  private static func apply(_ step: Step, _ contents: inout Contents, _ names: [String]) {
    switch step {
    case .put(let table, let key, let value): contents[names[table]]?[key] = value
    case .delete(let table, let key): contents[names[table]]?[key] = nil
    case .clear(let table): contents[names[table]] = [:]
    case .sorted(let table, let entries):
      for (key, value) in entries { contents[names[table]]?[key] = value }
    case .bulk(let table, let byte):
      let value = [UInt8](repeating: byte, count: 1 << 20)
      for key in bulkKeys { contents[names[table]]?[key] = value }
    case .nested(let steps, let isUndone):
      if isUndone { return }
      for step in steps { apply(step, &contents, names) }
    }
  }

  private static func compare(_ environment: Environment, _ expected: Contents) throws {
    #expect(try environment.tableNames() == expected.keys.sorted())
    for (name, entries) in expected {
      let table = try environment.table(name)
      let found = try environment.read { try $0.entries(table) }
      #expect(found.count == entries.count, "\(name)")
      for pair in found {
        #expect(entries[pair.key].map { Pair(key: pair.key, value: $0) } == pair, "\(name): \(pair.key)")
      }
    }
  }
}
