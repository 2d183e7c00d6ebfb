import Records

/// How the rows of a window are read.
struct RowReading: Sendable {
  /// The keys that are looked for.
  var keys = KeyTable()
  /// What the digests of the rows' texts depend on beside the texts; nil if there is no use for digests.
  var digestContext: RowDigest?
  /// The rows that need not be parsed.
  var known: KnownDigests?
}

/// The rows of a window, parsed.
///
/// A row whose digest is known isn't. Nodes and unescaped strings lie in memory that is as large as all rows could need, and of
/// which the system provides no more than is written to.
///
/// Unchecked, because of the pointers: everything is written while the window is made, and only read afterwards.
final class ParsedWindow: @unchecked Sendable {
  let window: RowOutline.Window
  let memory: PayloadMemory
  /// The digests of all rows; empty if there is no use for them.
  private(set) var digests: [RowDigest] = []
  private let spans: [RowSpan]
  private let text: UnsafeBufferPointer<UInt8>
  private let index: TokenIndex
  private let nodes: UnsafeMutablePointer<PayloadNode>
  private let scratch: UnsafeMutablePointer<UInt8>
  /// The nodes of the rows; 0 for those that were not parsed. The first node is no row's.
  private var roots: [UInt32]
  /// For each row, the nodes of the values under each key.
  private let values: UnsafeMutablePointer<UInt32>
  private let keyCount: Int
  /// By row: the values whose keys the row had before.
  private var repetitions: [Int: [Int]] = [:]

  /// Reads a window of a text, which has to be kept as long as the window.
  ///
  /// - Throws: `PayloadError` with the place in the whole text.
  init(
    _ window: RowOutline.Window, of outline: RowOutline, in whole: UnsafeBufferPointer<UInt8>, _ reading: RowReading
  ) throws(PayloadError) {
    self.window = window
    let text = UnsafeBufferPointer(rebasing: whole[window.text])
    do throws(TokenIndex.Refusal) {
      index = try TokenIndex(of: text)
    } catch {
      throw PayloadError(error, in: whole, as: outline.format)
    }
    self.text = text
    spans =
      outline.format == .json ? RowSpan.listed(in: text, index.tokens) : RowSpan.lines(in: text, index.tokens)
    // Every node is made from a token of its own.
    nodes = .allocate(capacity: index.tokens.count + 1)
    nodes.initialize(to: .null)
    // What an escape stands for is never longer than the escape.
    scratch = .allocate(capacity: text.count + 1)
    memory = PayloadMemory(
      nodes: UnsafePointer(nodes), text: text.baseAddress ?? UnsafePointer(scratch), scratch: UnsafePointer(scratch))
    keyCount = reading.keys.count
    values = .allocate(capacity: keyCount * spans.count + 1)
    roots = [UInt32](repeating: 0, count: spans.count)
    // What was cut into windows a moment ago has changed.
    guard spans.count == window.rowCount else {
      throw .malformed(offset: window.text.lowerBound, fault: .unexpectedEnd)
    }
    do throws(PayloadError) {
      try parse(reading, depth: outline.depth)
    } catch {
      throw error.moved(by: window.text.lowerBound, to: outline.format, of: whole)
    }
  }

  deinit {
    nodes.deallocate()
    scratch.deallocate()
    values.deallocate()
  }

  private func parse(_ reading: RowReading, depth: Int) throws(PayloadError) {
    let nodes = UnsafeMutableBufferPointer(start: nodes, count: index.tokens.count + 1)
    var parser = JSONParser(text: text, tokens: index.tokens, nodes: nodes, nodeCount: 1, depth: depth)
    let reader = RowReader(reading.keys)
    if reading.digestContext != nil { digests.reserveCapacity(spans.count) }
    for row in spans.indices {
      if let context = reading.digestContext {
        let digest = RowDigest(of: text(ofRow: row), in: context)
        digests.append(digest)
        if reading.known?.position(of: digest) != nil { continue }
      }
      let root = try parser.parseRow(spans[row], scratch: scratch)
      roots[row] = UInt32(truncatingIfNeeded: root)
      reader.read(PayloadValue(memory: memory, index: root), into: values + row * keyCount)
      if !reader.repetitions.isEmpty { repetitions[row] = reader.repetitions }
    }
  }

  // MARK: Rows, by their position in the window

  func text(ofRow row: Int) -> UnsafeRawBufferPointer {
    let bytes = spans[row].bytes
    return UnsafeRawBufferPointer(
      rebasing: UnsafeRawBufferPointer(text)[Int(bytes.lowerBound)..<Int(bytes.upperBound)])
  }

  /// Where a row's text is in the whole text.
  func textPlace(ofRow row: Int) -> Range<Int> {
    let (start, bytes) = (window.text.lowerBound, spans[row].bytes)
    return start + Int(bytes.lowerBound)..<start + Int(bytes.upperBound)
  }

  /// Whether all rows that were parsed are objects. Lines may be anything.
  var hasObjectsOnly: Bool {
    roots.allSatisfy { $0 == 0 || PayloadValue(memory: memory, index: Int($0)).kind == .object }
  }

  /// The node of a row; 0 if its digest was known.
  func root(ofRow row: Int) -> Int { Int(roots[row]) }

  /// A row with the places of its values.
  func reading(ofRow row: Int) -> RowValues {
    RowValues(memory: memory, nodes: UnsafePointer(values + row * keyCount))
  }

  /// The nodes of the values of a row whose keys it had before.
  func repetitions(ofRow row: Int) -> [Int] {
    repetitions.isEmpty ? [] : repetitions[row] ?? []
  }
}

extension RowSpan {
  /// The spans of objects that stand one behind the other, with commas between them, to the end of the text.
  fileprivate static func listed(
    in text: UnsafeBufferPointer<UInt8>, _ tokens: UnsafeBufferPointer<UInt32>
  ) -> [RowSpan] {
    var found = objects(fromToken: 0, in: text, tokens)
    // Nothing stands behind the last one.
    if found.end == .open, found.next < tokens.count {
      let last = RowSpan(
        tokens: UInt32(truncatingIfNeeded: found.next)..<UInt32(truncatingIfNeeded: tokens.count),
        bytes: tokens[found.next]..<UInt32(truncatingIfNeeded: text.count))
      found.spans.append(last)
    }
    return found.spans
  }
}

extension PayloadError {
  /// The error of a part of a text, as one of the whole.
  fileprivate func moved(by offset: Int, to format: PayloadFormat, of whole: UnsafeBufferPointer<UInt8>) -> PayloadError
  {
    guard case .malformed(let place, let fault) = self else { return self }
    let moved = PayloadError.malformed(offset: place + offset, fault: fault)
    return format == .ndjson ? moved.inLine(of: whole) : moved
  }
}
