import Testing

@testable import KeyValueStore

/// Random operations on a table and on a dictionary, compared after every transaction.
@Suite("A table against a dictionary")
struct ModelTests {
  private struct Refusal: Error {}

  @Test("whatever is done, table and dictionary hold the same", arguments: 1...8 as ClosedRange<UInt64>)
  func agrees(seed: UInt64) throws {
    let environment = try Environment.temporary()
    let table = try environment.table("t")
    var source = KeySource(seed: seed)
    var model = TableModel(environment)
    for _ in 0..<50 {
      let changes = Self.changes(&source)
      let isRefused = source.number(0..<5) == 0
      let (results, expected) = try Self.apply(changes, to: environment, table, &model, isRefused)
      #expect(results == expected)
      try Self.compare(environment, table, model, &source)
    }
  }

  private enum Change {
    case put([UInt8], [UInt8])
    case insert([UInt8], [UInt8])
    case delete([UInt8])
    case removeAll
    /// Through one sorted writer, in the order of the keys or not.
    case batch([(key: [UInt8], value: [UInt8]?)])
    /// Delete, while scanning, every entry of a range whose value has an even number of bytes.
    case sweep(KeyRange, reversed: Bool)
  }

  private static func changes(_ source: inout KeySource) -> [Change] {
    (0..<source.number(1..<25)).map { _ in
      switch source.number(0..<20) {
      case 0..<9: return .put(source.next(), source.value())
      case 9..<12: return .insert(source.next(), source.value())
      case 12..<16: return .delete(source.next())
      case 16: return source.number(0..<6) == 0 ? .removeAll : .delete(source.next())
      case 17: return .sweep(source.range(), reversed: source.number(0..<2) == 0)
      default:
        let batch = (0..<source.number(1..<40)).map { _ in
          (key: source.next(), value: source.number(0..<4) == 0 ? nil : source.value())
        }
        let isSorted = source.number(0..<4) > 0
        return .batch(isSorted ? batch.sorted { $0.key.precedes($1.key) } : batch)
      }
    }
  }

  /// Runs changes on both, and returns what each of them answered.
  private static func apply(
    _ changes: [Change], to environment: Environment, _ table: Table, _ model: inout TableModel, _ isRefused: Bool
  ) throws -> (table: [Bool], model: [Bool]) {
    let box = Answers()
    do {
      try environment.write { transaction in
        for change in changes { box.answers += try answer(to: change, transaction, table) }
        if isRefused { throw Refusal() }
      }
    } catch is Refusal {}
    var expected: [Bool] = []
    let before = model
    for change in changes { expected += answer(to: change, &model) }
    if isRefused { model = before }
    return (box.answers, expected)
  }

  /// What the body of a write has found out. Unchecked: the test waits for the write.
  private final class Answers: @unchecked Sendable {
    var answers: [Bool] = []
  }

  private static func answer(to change: Change, _ transaction: WriteTransaction, _ table: Table) throws -> [Bool] {
    switch change {
    case .put(let key, let value):
      try transaction.put(value, for: key, in: table)
      return []
    case .insert(let key, let value): return [try transaction.insert(value, for: key, in: table)]
    case .delete(let key): return [try transaction.delete(key, in: table)]
    case .removeAll:
      try transaction.removeAll(in: table)
      return []
    case .batch(let batch):
      return try transaction.withSortedWriter(in: table) { writer in
        var answers: [Bool] = []
        for (key, value) in batch {
          if let value { try writer.put(value, for: key) } else { answers.append(try writer.delete(key)) }
        }
        return answers
      }
    case .sweep(let range, let reversed):
      var answers: [Bool] = []
      try transaction.scan(table, in: range, reversed: reversed) { key, value in
        if value.count % 2 == 0 { answers.append(try transaction.delete(Array(key), in: table)) }
        return .continue
      }
      return answers
    }
  }

  private static func answer(to change: Change, _ model: inout TableModel) -> [Bool] {
    func delete(_ key: [UInt8]) -> Bool {
      defer { model[key] = nil }
      return model[key] != nil
    }
    switch change {
    case .put(let key, let value): model[key] = value
    case .insert(let key, let value):
      if model[key] != nil { return [false] }
      model[key] = value
      return [true]
    case .delete(let key): return [delete(key)]
    case .removeAll: model.removeAll()
    case .batch(let batch):
      return batch.compactMap { key, value in
        if value == nil { return delete(key) }
        model[key] = value
        return nil
      }
    case .sweep(let range, _):
      return model.entries(in: range).filter { $0.value.count % 2 == 0 }.map { delete($0.key) }
    }
    return []
  }

  private static func compare(
    _ environment: Environment, _ table: Table, _ model: TableModel, _ source: inout KeySource
  ) throws {
    let keys = (0..<10).map { _ in source.next() }
    let ranges = (0..<10).map { _ in source.range() }
    try environment.read { snapshot throws in
      #expect(try snapshot.count(in: table) == model.count)
      #expect(try snapshot.entries(table) == model.entries())
      for key in keys { #expect(try snapshot.value(for: key, in: table) == model[key]) }
      for range in ranges {
        #expect(try snapshot.entries(table, in: range) == model.entries(in: range), "\(range)")
        let backwards = try snapshot.entries(table, in: range, reversed: true)
        #expect(backwards == model.entries(in: range, reversed: true), "\(range)")
      }
    }
  }
}
