/// Parses rows of a document one by one, when they are asked for.
///
/// A row whose text is known from an earlier sync is never parsed. Nodes and unescaped strings lie in memory that is as large
/// as all rows could need, and of which the system provides no more than is written to.
final class RowParser {
  let texts: RowTexts
  let memory: PayloadMemory
  private let text: UnsafeBufferPointer<UInt8>
  private let nodes: UnsafeMutablePointer<PayloadNode>
  private let scratch: UnsafeMutablePointer<UInt8>
  private var parser: JSONParser
  /// The nodes of the rows, 0 for those that were not parsed yet: the first node is never a row's.
  private var roots: [UInt32]

  /// A parser for the rows of a text, of which everything else has been parsed already.
  init(
    _ text: UnsafeBufferPointer<UInt8>, _ texts: RowTexts, nodes known: [PayloadNode], scratch knownScratch: [UInt8]
  ) {
    self.text = text
    self.texts = texts
    let tokens = texts.index.tokens
    nodes = .allocate(capacity: known.count + tokens.count)
    nodes.update(from: known, count: known.count)
    // What an escape stands for is never longer than the escape.
    scratch = .allocate(capacity: text.count + 1)
    scratch.update(from: knownScratch, count: knownScratch.count)
    roots = [UInt32](repeating: 0, count: texts.spans.count)
    parser = JSONParser(
      text: text, tokens: tokens,
      nodes: UnsafeMutableBufferPointer(start: nodes, count: known.count + tokens.count), nodeCount: known.count,
      scratchCount: knownScratch.count, depth: texts.depth)
    memory = PayloadMemory(nodes: nodes, text: text.baseAddress ?? UnsafePointer(scratch), scratch: scratch)
  }

  deinit {
    nodes.deallocate()
    scratch.deallocate()
  }

  /// A row's text.
  func text(ofRow row: Int) -> UnsafeRawBufferPointer {
    let span = texts.spans[row]
    return UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(text)[Int(span.start)..<Int(span.end)])
  }

  /// A row, parsed.
  ///
  /// - Throws: `PayloadError` with the byte offset of the first fault.
  func value(ofRow row: Int) throws(PayloadError) -> PayloadValue {
    if roots[row] == 0 {
      let root = try parser.parseRow(atToken: Int(texts.spans[row].firstToken), scratch: scratch)
      roots[row] = UInt32(truncatingIfNeeded: root)
    }
    return PayloadValue(memory: memory, index: Int(roots[row]))
  }
}
