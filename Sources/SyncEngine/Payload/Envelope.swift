/// A document whose rows are somewhere inside of it, parsed without them.
struct Envelope {
  let nodes: [PayloadNode]
  let scratch: [UInt8]
  let outline: RowOutline

  /// Parses everything but the rows.
  ///
  /// - Returns: Nil if the path leads to anything but an array of objects, or where it leads can't be seen easily.
  /// - Throws: `PayloadError` with the byte offset of the first fault that was found.
  init?(
    _ text: UnsafeBufferPointer<UInt8>, _ tokens: UnsafeBufferPointer<UInt32>, rowsAt path: PayloadPath,
    windowBytes: Int
  ) throws(PayloadError) {
    guard let array = RowSpan.arrayToken(at: path, in: text, tokens) else { return nil }
    var (spans, next, end) = RowSpan.objects(fromToken: array + 1, in: text, tokens)
    if spans.isEmpty, RowSpan.byte(at: array + 1, in: text, tokens) == UInt8(ascii: "]") {
      (next, end) = (array + 2, .closed)
    }
    guard end == .closed, spans.count <= PayloadNode.countMax else { return nil }
    let rows = JSONParser.LeftOut(token: array, end: next, count: spans.count)
    let parsed = try JSONParser.parse(text, tokens, as: .json, leavingOut: rows)
    guard let (node, depth) = parsed.leftOut,
      Self.isArray(node, at: path, among: parsed.nodes, scratch: parsed.scratch, in: text)
    else { return nil }
    (nodes, scratch) = (parsed.nodes, parsed.scratch)
    var outline = RowOutline(.json)
    outline.setPlace(arrayNode: node, depth: depth)
    var first = 0
    for (position, span) in spans.enumerated() {
      let window = Int(spans[first].bytes.lowerBound)..<Int(span.bytes.upperBound)
      if window.count >= windowBytes || position == spans.count - 1 {
        outline.append(window, rowCount: position + 1 - first)
        first = position + 1
      }
    }
    self.outline = outline
  }

  /// Whether a path leads to a node.
  private static func isArray(
    _ node: Int, at path: PayloadPath, among nodes: [PayloadNode], scratch: [UInt8],
    in text: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    PayloadMemory.with(nodes, text, scratch) { memory in
      let found = try? path.find(in: PayloadValue(memory: memory, index: 0))
      return found?.value.index == node
    }
  }
}
