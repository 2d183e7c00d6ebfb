import FoundationEssentials
import KeyValueStore

/// Evaluates one filter on many records of one snapshot.
///
/// It keeps what evaluation needs room for, and the results of the last look-ups in other entities, so it is used by one run of
/// a query and not while anything is written.
final class FilterEvaluator {
  private let code: FilterCode
  private let entry: FilterCode.Entry
  let snapshot: RecordSnapshot
  // Nothing is called while one of these is looked at or changed that might come back to it, so that need not be checked for each row.
  @exclusivity(unchecked) private var encoder = KeyEncoder()
  @exclusivity(unchecked) private var caches: [HopCache]

  init(_ code: FilterCode, entry: FilterCode.Entry, in snapshot: RecordSnapshot) {
    self.code = code
    self.entry = entry
    self.snapshot = snapshot
    caches = [HopCache](repeating: HopCache(), count: code.hops.count)
  }

  convenience init(_ filter: RecordFilter, in snapshot: RecordSnapshot) {
    self.init(filter.code, entry: filter.entry, in: snapshot)
  }

  /// Whether the condition is true of a row.
  func matches(_ row: RowNumber, _ record: RecordView) throws -> Bool {
    try isTrue(entry, row, record)
  }

  func isTrue(_ entry: FilterCode.Entry, _ row: RowNumber, _ record: RecordView) throws -> Bool {
    var entry = entry
    try code.steps.withUnsafeBufferPointer { steps in
      while entry >= 0 {
        let step = steps[Int(entry)]
        entry = try isTrue(step.test, row, record) ? step.whenTrue : step.whenFalse
      }
    }
    return entry == FilterCode.isTrue
  }

  @inline(__always)
  private func isTrue(_ test: FilterCode.Test, _ row: RowNumber, _ record: RecordView) throws -> Bool {
    switch test {
    case .isNull(let field): return record.isNull(Int(field))
    case .bool(let field, let comparison, let value):
      if record.isNull(Int(field)) { return false }
      return comparison.holds((record.bool(Int(field)) ? 1 : 0) - (value ? 1 : 0))
    case .signed(let field, let comparison, let value):
      if record.isNull(Int(field)) { return false }
      return comparison.holds(record.int64(Int(field)), value)
    case .unsigned(let field, let comparison, let value):
      if record.isNull(Int(field)) { return false }
      return comparison.holds(record.uint64(Int(field)), value)
    case .floating(let field, let comparison, let value):
      if record.isNull(Int(field)) { return false }
      return comparison.holds(record.floating(Int(field)), value)
    case .date(let field, let comparison, let value):
      if record.isNull(Int(field)) { return false }
      return comparison.holds(Date(timeIntervalSinceReferenceDate: record.date(Int(field))), value)
    case .text(let field, let comparison, let constant):
      if record.isNull(Int(field)) { return false }
      return isTrue(comparison, text: record.utf8(Int(field)), constant)
    case .key(let field, let comparison, let constant):
      if record.isNull(Int(field)) { return false }
      encoder.removeAll()
      encoder.append(Int(field), of: record)
      return encoder.bytes.withUnsafeBytes { key in withConstant(constant) { comparison.holds(key.compare($0)) } }
    case .isListed(let field, let list):
      encoder.removeAll()
      encoder.append(Int(field), of: record)
      return encoder.bytes.withUnsafeBytes { code.lists[Int(list)].contains($0) }
    case .matches(let field, let pattern):
      if record.isNull(Int(field)) { return false }
      return code.patterns[Int(pattern)].matches(record.utf8(Int(field)))
    case .isRow(let other): return row == other
    case .isListedRow(let list): return code.rowLists[Int(list)].containsSorted(row)
    case .hop(let position): return try isTrue(hop: Int(position), record)
    case .members(let position):
      let test = code.memberTests[Int(position)]
      // One more than the number that is compared with decides every comparison.
      return try test.comparison.holds(count(test.members, of: row, upTo: test.count &+ 1), test.count)
    case .values(let position): return try isTrue(code.valueTests[Int(position)], row, record)
    }
  }

  private func isTrue(_ comparison: Comparison, text: UnsafeRawBufferPointer, _ constant: FilterCode.Constant) -> Bool {
    withConstant(constant) { constant in
      let order = text.compare(constant)
      // The same bytes are the same text, and composed texts sort by their bytes.
      if order == 0 || KeyEncoder.isComposed(text) { return comparison.holds(order) }
      var composed = String(decoding: text, as: UTF8.self).composed
      return composed.withUTF8 { comparison.holds(UnsafeRawBufferPointer($0).compare(constant)) }
    }
  }

  private func withConstant<Result>(
    _ constant: FilterCode.Constant, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    code.constants.withUnsafeBytes { bytes in
      let start = Int(constant.start)
      return body(UnsafeRawBufferPointer(rebasing: bytes[start..<start + Int(constant.count)]))
    }
  }

  private func isTrue(hop position: Int, _ record: RecordView) throws -> Bool {
    let hop = code.hops[position]
    guard let row = record.row(hop.field) else { return false }
    if hop.entry < 0 { return hop.entry == FilterCode.isTrue }
    if let known = caches[position][row] { return known }
    let result = try snapshot.withRecord(row, of: hop.entity) { try isTrue(hop.entry, row, $0) } ?? false
    caches[position][row] = result
    return result
  }

  /// How many members of a row meet a condition; counting ends when `max` is reached.
  func count(_ members: FilterCode.Members, of row: RowNumber, upTo max: Int64 = .max) throws -> Int64 {
    var count: Int64 = 0
    if members.entry == FilterCode.isFalse || max <= 0 { return 0 }
    try snapshot.forEachLink(of: members.direction, owner: row) { member, _ in
      let isCounted =
        members.entry == FilterCode.isTrue
        ? true
        : try snapshot.withRecord(member, of: members.entity) { try isTrue(members.entry, member, $0) } ?? false
      if isCounted { count += 1 }
      return count == max ? .stop : .continue
    }
    return count
  }
}

extension Comparison {
  /// Whether two values compare so, as their type says. Of a NaN nothing holds but `notEqual`; of a date that is NaN also
  /// `lessOrEqual` and `greaterOrEqual`, which `Date` takes to be the opposites of `greater` and `less`.
  @inline(__always)
  func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
    switch self {
    case .equal: left == right
    case .notEqual: left != right
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    case .greaterOrEqual: left >= right
    }
  }
}

extension RecordView {
  /// A floating-point number of any width.
  func floating(_ field: FieldIndex) -> Double {
    place(of: field).kind == .float ? Double(float(field)) : double(field)
  }
}

extension [RowNumber] {
  /// Whether a row is among these, which are in ascending order.
  func containsSorted(_ row: RowNumber) -> Bool {
    var candidates = indices
    while !candidates.isEmpty {
      let middle = candidates.lowerBound + candidates.count / 2
      if self[middle] == row { return true }
      candidates = row < self[middle] ? candidates.lowerBound..<middle : middle + 1..<candidates.upperBound
    }
    return false
  }
}
