import KeyValueStore
import Records

/// Goes through the objects of a fetch a batch at a time, each batch in a snapshot of its own.
///
/// If the fetch is a scan of all rows, nothing is kept between batches but the row after which the next one begins. Otherwise
/// the results of the fetch are kept, as rows.
struct Enumeration<Model: PersistentModel> {
  private let descriptor: FetchDescriptor<Model>
  private let context: ModelContext
  private let batchSize: Int
  private var rest: Rest

  private enum Rest {
    case scan(Scan)
    case items(ArraySlice<Fetch<Model>.Item>)
    case nothing
  }

  private struct Scan {
    /// The rows that are still to be looked at. Those that are made from now on have greater numbers.
    var rows: ClosedRange<RowNumber>?
    /// The objects that had no rows at the beginning, which come last.
    var inserted: [Model]
    var window: RowWindow
  }

  /// - Throws: what `fetch` throws.
  init(_ descriptor: FetchDescriptor<Model>, in context: ModelContext, batchSize: Int) throws {
    self.descriptor = descriptor
    self.context = context
    self.batchSize = max(1, batchSize)
    rest = try context.answer(descriptor) { fetch in
      guard fetch.isUnordered, try fetch.plan(isFinished: true).isScan else { return .items(try fetch.items()[...]) }
      let first = RowNumber(rawValue: 0)
      let last = RowNumber(rawValue: max(1, try fetch.snapshot.nextRow(of: fetch.binding.entity)) - 1)
      return .scan(Scan(rows: first...last, inserted: fetch.inserted, window: fetch.window))
    }
  }

  /// The next objects; nil when there are no more. An object whose row is gone by now is deleted.
  /// - Throws: what `fetch` throws.
  mutating func next() throws -> [Model]? {
    switch rest {
    case .nothing: return nil
    case .items(let items):
      if items.isEmpty { return nil }
      rest = .items(items.dropFirst(batchSize))
      return Fetch<Model>.models(items.prefix(batchSize), in: context)
    case .scan(var scan):
      let batch = try context.answer(descriptor) { fetch in
        try scan.rows == nil ? last(of: &scan, fetch) : next(of: &scan, fetch)
      }
      let isOver = scan.window.isOver || scan.rows == nil && scan.inserted.isEmpty
      rest = isOver ? .nothing : .scan(scan)
      return batch
    }
  }

  private func next(of scan: inout Scan, _ fetch: Fetch<Model>) throws -> [Model] {
    guard let rows = scan.rows else { return [] }
    let changed = try fetch.changedMatches().compactMap { model in
      model._$backing.storedRow.flatMap { rows.contains($0) ? (row: $0, model: model) : nil }
    }
    var edited = changed.sorted { $0.row < $1.row }[...]
    var window = scan.window
    var result: [Model] = []
    var last: RowNumber?

    func visit(_ row: RowNumber, _ make: () throws -> Model?) throws -> ScanStep {
      last = row
      return try window.next {
        if let model = try make() { result.append(model) }
        return result.count == batchSize ? .stop : .continue
      }
    }
    func visitEdited(before end: RowNumber?) throws -> ScanStep {
      while let next = edited.first, end.map({ next.row < $0 }) ?? true {
        edited.removeFirst()
        if try visit(next.row, { next.model }) == .stop { return .stop }
      }
      return .continue
    }

    var isStopped = false
    try fetch.snapshot.run(fetch.snapshot.plan(fetch.query(scanned: rows)), accepting: fetch.acceptance) {
      row, record in
      isStopped = try visitEdited(before: row) == .stop || visit(row) { try fetch.object(row, record) } == .stop
      return isStopped ? .stop : .continue
    }
    if !isStopped { isStopped = try visitEdited(before: nil) == .stop }
    scan.window = window
    scan.rows = last.flatMap { last in
      isStopped && last < rows.upperBound ? RowNumber(rawValue: last.rawValue + 1)...rows.upperBound : nil
    }
    return result
  }

  /// Those of the objects without rows that are still wanted.
  private func last(of scan: inout Scan, _ fetch: Fetch<Model>) throws -> [Model] {
    var window = scan.window
    var result: [Model] = []
    for model in scan.inserted where try !model.isDeleted && fetch.accepts(model) {
      let step = window.next {
        result.append(model)
        return .continue
      }
      if step == .stop { break }
    }
    scan.inserted = []
    return result
  }
}
