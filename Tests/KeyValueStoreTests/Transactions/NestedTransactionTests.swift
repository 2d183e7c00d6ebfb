import TestSupport
import Testing

@testable import KeyValueStore

/// A nested transaction is a part of its outer one that can be undone by itself, in the store and in the log.
@Suite("Nested transactions")
struct NestedTransactionTests {
  private struct Refusal: Error, Equatable {}

  private let store: OpenStore
  private let table: Table

  init() throws {
    store = try OpenStore()
    table = store.table
  }

  private func put(_ key: Int, _ transaction: WriteTransaction) throws {
    try transaction.put([UInt8](number: key), for: [UInt8](number: key), in: table)
  }

  /// Runs a body, and checks what is there after it, and what a recovery makes of its frame.
  private func expect(
    _ keys: [Int], after body: @Sendable (WriteTransaction) throws -> Void,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    try store.environment.write(body)
    #expect(try store.keys() == keys, sourceLocation: location)
    #expect(try store.keysAfterKill() == keys, sourceLocation: location)
  }

  @Test("what a nested transaction changes is a part of the outer one, or is undone without it")
  func commitsAndUndoes() throws {
    try expect([1, 2, 3]) { transaction in
      try put(1, transaction)
      let result = try transaction.nested { inner in
        #expect(try inner.contains([UInt8](number: 1), in: table))
        try put(2, inner)
        return 7
      }
      #expect(result == 7)
      #expect(throws: Refusal()) {
        try transaction.nested { inner in
          try put(4, inner)
          try inner.delete([UInt8](number: 1), in: table)
          #expect(try inner.count(in: table) == 2)
          throw Refusal()
        }
      }
      #expect(try transaction.count(in: table) == 2)
      try put(3, transaction)
    }
    #expect(throws: Refusal()) {
      try store.environment.write { transaction in
        try transaction.nested { try put(9, $0) }
        throw Refusal()
      }
    }
    try expect([1, 2, 3]) { _ in }
  }

  @Test("nests in nests are undone with the one that throws, and kept with the ones that don't")
  func nestsDeeply() throws {
    try expect([0, 1, 2, 6, 7]) { transaction in
      try put(0, transaction)
      try transaction.nested { first in
        try put(1, first)
        try first.nested { try put(2, $0) }
        try? first.nested { second in
          try put(3, second)
          try second.nested { try put(4, $0) }
          try? second.nested { third in
            try put(5, third)
            throw Refusal()
          }
          throw Refusal()
        }
        try put(6, first)
      }
      try put(7, transaction)
    }
    // As deep as one likes.
    @Sendable func nest(_ depth: Int, _ transaction: WriteTransaction) throws {
      try put(100 + depth, transaction)
      if depth < 40 { try transaction.nested { try nest(depth + 1, $0) } }
    }
    try expect([0, 1, 2, 6, 7] + Array(100...140)) { try nest(0, $0) }
  }

  @Test("a removal of a whole table can be undone too")
  func undoesRemoval() throws {
    try store.put(1, 2, 3)
    try expect([1, 2, 3, 4]) { transaction in
      try? transaction.nested { inner in
        try inner.removeAll(in: table)
        try put(9, inner)
        throw Refusal()
      }
      try put(4, transaction)
    }
    try expect([5]) { transaction in
      try transaction.nested { try $0.removeAll(in: table) }
      try put(5, transaction)
    }
  }

  @Test("while a nested transaction is open, the outer one can't be used, nor what belongs to it")
  func suspendsOuter() throws {
    let table = table
    try store.put(1, 2, 3)
    try store.environment.write { transaction in
      try transaction.withCursor(in: table) { cursor in
        try cursor.first()
        try transaction.withSortedWriter(in: table) { writer in
          try transaction.nested { inner throws in
            let uses: [() throws -> Void] = [
              { _ = try transaction.value(for: [1], in: table) },
              { _ = try transaction.count(in: table) },
              { try transaction.put([1], for: [1], in: table) },
              { try transaction.delete([1], in: table) },
              { try transaction.removeAll(in: table) },
              { try transaction.scan(table) { _, _ in .continue } },
              { try transaction.withCursor(in: table) { _ in } },
              { try transaction.nested { _ in } },
              { try transaction.afterCommit {} },
              { try cursor.next() },
              { _ = try cursor.key },
              { _ = try cursor.value },
              { try cursor.seek(to: [1]) },
              { try writer.put([1], for: [1]) },
              { try writer.delete([1]) },
            ]
            for (number, use) in uses.enumerated() {
              #expect(throws: StoreError.nestedTransactionOpen, "use \(number)") { try use() }
            }
            #expect(try inner.count(in: table) == 3)
          }
          #expect(try transaction.count(in: table) == 3)
        }
      }
    }
    #expect(try store.keys() == [1, 2, 3])
  }

  @Test("cursors and writers of the outer transaction go on after the nested one", arguments: [false, true])
  func resumesCursors(isUndone: Bool) throws {
    try store.put(10, 20, 30, 40)
    let expected = isUndone ? [10, 20, 30, 40, 50, 60] : [10, 15, 30, 40, 45, 50, 60]
    try expect(expected) { transaction in
      try transaction.withCursor(in: table) { cursor in
        try transaction.withSortedWriter(in: table) { writer in
          try writer.put([1], for: [UInt8](number: 50))
          try cursor.seek(to: [UInt8](number: 20))
          try? transaction.nested { inner in
            try put(15, inner)
            try put(45, inner)
            try inner.delete([UInt8](number: 20), in: table)
            if isUndone { throw Refusal() }
          }
          #expect(throws: StoreError.cursorNotPositioned) { try cursor.key }
          try cursor.seek(to: [UInt8](number: 11))
          #expect(try Array(cursor.key).asNumber == (isUndone ? 20 : 15))
          #expect(try cursor.next())
          #expect(try Array(cursor.key).asNumber == 30)
          try writer.put([1], for: [UInt8](number: 60))
        }
      }
    }
  }

  @Test("a scan of the outer transaction goes on after nested ones in its body")
  func resumesScans() throws {
    for key in 0..<20 { try store.put(key) }
    try expect((0..<20).filter { $0 % 2 == 1 }) { transaction in
      try transaction.scan(table) { key, _ in
        let key = Array(key)
        try? transaction.nested { inner in
          try inner.delete(key, in: table)
          if key.asNumber % 2 == 1 { throw Refusal() }
        }
        return .continue
      }
    }
  }

  @Test("what a nested transaction wants done after the commit is dropped with it")
  func dropsActions() throws {
    let seen = Monitor<[Int]>([])
    try store.environment.write { transaction in
      @Sendable func note(_ number: Int) { seen.withLock { $0.append(number) } }
      try transaction.afterCommit { note(1) }
      try transaction.nested { inner in
        try inner.afterCommit { note(2) }
        try? inner.nested { innermost in
          try innermost.afterCommit { note(3) }
          throw Refusal()
        }
        try inner.nested { try $0.afterCommit { note(4) } }
      }
      try? transaction.nested { inner in
        try inner.afterCommit { note(5) }
        throw Refusal()
      }
      try transaction.afterCommit { note(6) }
    }
    #expect(seen.withLock { $0 } == [1, 2, 4, 6])
  }

  @Test("a nested transaction ends with its closure, and a change in it that fails takes only it along")
  func endsWithItsClosure() throws {
    let table = table
    let box = Escaped()
    try expect([1, 2]) { transaction in
      try put(1, transaction)
      try transaction.nested { box.transaction = $0 }
      #expect(throws: StoreError.transactionEnded) { _ = try box.transaction?.count(in: table) }
      #expect(throws: Refusal()) {
        try transaction.nested { inner in
          try put(3, inner)
          try? [9].withUnsafeBytes { key in
            try inner.put(valueByteCount: 100, for: key, in: table) { _ in throw Refusal() }
          }
        }
      }
      try put(2, transaction)
    }
  }

  /// Unchecked: the test does one thing at a time.
  private final class Escaped: @unchecked Sendable {
    var transaction: WriteTransaction?
  }
}
