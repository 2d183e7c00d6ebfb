import CLMDB

/// Applies the frames of a log to LMDB.
///
/// There must be a pin, and no other write transaction.
struct LogReplay {
  private static let framesPerTransactionMax = 1000
  private static let bytesPerTransactionMax = 4 << 20

  let engine: Engine
  /// How many frames one LMDB transaction takes. Fewer when it turns out that they don't fit.
  private var framesMax = framesPerTransactionMax

  init(_ engine: Engine) {
    self.engine = engine
  }

  /// Applies all frames behind `start`, and returns where the log ends. `growMap` makes the map larger, with no write
  /// transaction open.
  mutating func run(
    _ segments: [LogSegment], from start: LogEnd, growMap: () throws(StoreError) -> Void
  ) throws(StoreError) -> LogEnd {
    var done = start
    while true {
      var reader = LogReader(segments, from: done, path: engine.path)
      do throws(StoreError) {
        let isOver = try applyBatch(&reader)
        done = reader.end
        if isOver { return done }
      } catch .engine(_, _, MDB_MAP_FULL) {
        try growMap()
      } catch .transactionTooLarge where framesMax > 1 {
        framesMax = 1
      }
    }
  }

  /// Applies some frames in one transaction; true when there are no more. Nothing is applied when it throws.
  private func applyBatch(_ reader: inout LogReader) throws(StoreError) -> Bool {
    let begin = reader.end
    var isOver = false
    try engine.write { (transaction) throws(StoreError) in
      var frameCount = 0
      var byteCount = 0
      while frameCount < framesMax, byteCount < Self.bytesPerTransactionMax {
        let before = reader.end
        guard let header = try reader.next() else {
          isOver = true
          break
        }
        guard try apply(reader.payload, of: header, in: transaction) else {
          // The data of a bulk transaction was in LMDB only, and this snapshot is one without it.
          reader.goBack(to: before)
          isOver = true
          break
        }
        frameCount += 1
        byteCount += header.frameByteCount
      }
      if reader.end.lsn != begin.lsn { try engine.putLSN(reader.end.lsn, transaction) }
    }
    return isOver
  }

  /// Applies one frame; false when it is that of a bulk transaction.
  private func apply(
    _ payload: UnsafeRawBufferPointer, of header: FrameHeader, in transaction: OpaquePointer
  ) throws(StoreError) -> Bool {
    var operations = LogOperations(payload)
    var tables: [(name: String, handle: MDB_dbi?)] = []
    func handle(_ number: Int) throws(StoreError) -> MDB_dbi {
      if let handle = tables[number].handle { return handle }
      guard let handle = try engine.openTable(tables[number].name, transaction) else {
        throw .damaged(path: engine.path, reason: "its log changes a table '\(tables[number].name)' that is not there")
      }
      tables[number].handle = handle
      return handle
    }
    do {
      while let operation = try operations.next() {
        switch operation {
        case .bulk: return false
        case .table(let name): tables.append((name, nil))
        case .create(let table): tables[table].handle = try engine.createTable(tables[table].name, transaction)
        case .put(let table, let key, let value):
          var key = MDB_val(key)
          var value = MDB_val(value)
          try engine.check(mdb_put(transaction, try handle(table), &key, &value, 0), "Replaying a change")
        case .delete(let table, let key):
          var key = MDB_val(key)
          let code = mdb_del(transaction, try handle(table), &key, nil)
          if code != MDB_NOTFOUND { try engine.check(code, "Replaying a deletion") }
        case .clear(let table): try engine.check(mdb_drop(transaction, try handle(table), 0), "Replaying a removal")
        }
      }
      return true
    } catch let error as StoreError {
      throw error
    } catch {
      throw .damaged(path: engine.path, reason: "commit \(header.lsn) of its log is not readable")
    }
  }
}
