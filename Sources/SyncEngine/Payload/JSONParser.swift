import CSimdjson

/// Turns JSON text into the nodes of a document.
///
/// simdjson finds the tokens and checks the encoding; this walks the tokens once, checks the grammar and writes one node per
/// value. Nothing is copied but strings with escapes, and no number is converted: that is done when somebody asks for it
/// and its type is known, so no digit is lost.
struct JSONParser {
  var text: UnsafeBufferPointer<UInt8>
  var tokens: UnsafeBufferPointer<UInt32>
  private var nodes: UnsafeMutableBufferPointer<PayloadNode>
  private(set) var nodeCount = 0
  private var scratch: [UInt8] = []
  /// Where the first byte of `scratch` will lie.
  private var scratchStart = 0
  private var open: [OpenContainer] = []
  private var depthMax = PayloadDocument.depthMax
  private var leftOut: LeftOut?
  /// The node of the array that was left out, and how deep it lies with its elements.
  private var leftOutPlace: (node: Int, depth: Int)?

  private struct OpenContainer {
    let index: Int
    let isObject: Bool
    var count = 0
  }

  /// What a text was parsed to.
  struct Output {
    let nodes: [PayloadNode]
    let scratch: [UInt8]
    /// The node of the array that was left out, and how deep its elements lie.
    let leftOut: (node: Int, depth: Int)?
  }

  /// An array that is skipped: it has a count then, but no elements.
  struct LeftOut {
    let token: Int
    /// Behind the array.
    let end: Int
    let count: Int
  }

  /// Parses a text.
  ///
  /// - Throws: `PayloadError` with the byte offset of the first fault that was found.
  static func parse(
    _ text: UnsafeBufferPointer<UInt8>, _ tokens: UnsafeBufferPointer<UInt32>, as format: PayloadFormat,
    leavingOut leftOut: LeftOut? = nil
  ) throws(PayloadError) -> Output {
    // Every node is made from a token of its own, so there are never more of them; lines have one for the array around them.
    let nodesMax = tokens.count + 1 - (leftOut.map { $0.end - $0.token - 1 } ?? 0)
    var scratch: [UInt8] = []
    var place: (node: Int, depth: Int)?
    let nodes = try [PayloadNode](unsafeUninitializedCapacity: nodesMax) { (buffer, count) throws(PayloadError) in
      var parser = JSONParser(text: text, tokens: tokens, nodes: buffer)
      parser.leftOut = leftOut
      switch format {
      case .json: try parser.parseDocument()
      case .ndjson: try parser.parseLines()
      }
      count = parser.nodeCount
      scratch = parser.scratch
      place = parser.leftOutPlace
    }
    return Output(nodes: nodes, scratch: scratch, leftOut: place)
  }

  init(
    text: UnsafeBufferPointer<UInt8>, tokens: UnsafeBufferPointer<UInt32>,
    nodes: UnsafeMutableBufferPointer<PayloadNode>, nodeCount: Int = 0, depth: Int = 0
  ) {
    self.text = text
    self.tokens = tokens
    self.nodes = nodes
    self.nodeCount = nodeCount
    depthMax = PayloadDocument.depthMax - depth
  }

  /// Parses one value that is all of a range of tokens, and moves the strings in it that had escapes to where the others lie.
  ///
  /// - Returns: Its node.
  mutating func parseRow(
    _ span: RowSpan, scratch target: UnsafeMutablePointer<UInt8>
  ) throws(PayloadError) -> Int {
    let root = nodeCount
    let (allText, allTokens) = (text, tokens)
    defer { (text, tokens) = (allText, allTokens) }
    text = UnsafeBufferPointer(rebasing: allText[..<Int(span.bytes.upperBound)])
    tokens = UnsafeBufferPointer(rebasing: allTokens[..<Int(span.tokens.upperBound)])
    var next = Int(span.tokens.lowerBound)
    try parseTree(&next)
    if let at = offset(ofToken: next) { throw .malformed(offset: at, fault: .textAfterDocument) }
    if !scratch.isEmpty {
      (target + scratchStart).update(from: scratch, count: scratch.count)
      scratchStart += scratch.count
      scratch.removeAll(keepingCapacity: true)
    }
    return root
  }

  private enum Step {
    case value
    case key
    /// A value is complete.
    case afterValue
  }

  mutating func parseDocument() throws(PayloadError) {
    var next = 0
    try parseTree(&next)
    if let at = offset(ofToken: next) { throw .malformed(offset: at, fault: .textAfterDocument) }
  }

  /// Parses a value with all that is in it.
  private mutating func parseTree(_ next: inout Int) throws(PayloadError) {
    var step = Step.value
    while true {
      switch step {
      case .value:
        step = try parseValue(&next)

      case .key:
        guard let at = offset(ofToken: next), text[at] == UInt8(ascii: "\"") else {
          throw unexpected("a key in double quotes", atToken: next)
        }
        try appendString(at: at, token: next)
        guard let colon = offset(ofToken: next + 1), text[colon] == UInt8(ascii: ":") else {
          throw unexpected("a colon", atToken: next + 1)
        }
        next += 2
        step = .value

      case .afterValue:
        guard let container = open.last else { return }
        open[open.count - 1].count += 1
        let byte = offset(ofToken: next).map { text[$0] }
        let closing = container.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
        if byte == UInt8(ascii: ",") {
          step = container.isObject ? .key : .value
        } else if byte == closing {
          try close()
        } else {
          throw unexpected(container.isObject ? "a comma or }" : "a comma or ]", atToken: next)
        }
        next += 1
      }
    }
  }

  @inline(__always)
  private mutating func parseValue(_ next: inout Int) throws(PayloadError) -> Step {
    guard let at = offset(ofToken: next) else { throw unexpected("a value", atToken: next) }
    let token = next
    next += 1
    switch text[at] {
    case UInt8(ascii: "\""):
      try appendString(at: at, token: token)
    case UInt8(ascii: "{"):
      try openContainer(.object)
      if let end = offset(ofToken: next), text[end] == UInt8(ascii: "}") {
        next += 1
        try close()
      } else {
        return .key
      }
    case UInt8(ascii: "["):
      try openContainer(.array)
      if let leftOut, leftOut.token == token {
        try leaveOut(leftOut, &next)
        return .afterValue
      }
      if let end = offset(ofToken: next), text[end] == UInt8(ascii: "]") {
        next += 1
        try close()
      } else {
        return .value
      }
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      let length = end(ofToken: token) - at
      guard let kind = JSONNumber.kind(of: UnsafeBufferPointer(rebasing: text[at..<at + length])) else {
        throw .malformed(offset: at, fault: .invalidNumber)
      }
      try append(kind, inScratch: false, offset: at, length: length)
    case UInt8(ascii: "t"):
      try parseWord("true", node: PayloadNode(bool: true, isNative: false), at: at, token: token)
    case UInt8(ascii: "f"):
      try parseWord("false", node: PayloadNode(bool: false, isNative: false), at: at, token: token)
    case UInt8(ascii: "n"):
      try parseWord("null", node: .null, at: at, token: token)
    default:
      throw .malformed(offset: at, fault: .unexpected(expected: "a value"))
    }
    return .afterValue
  }

  private mutating func parseWord(
    _ word: StaticString, node: PayloadNode, at: Int, token: Int
  ) throws(PayloadError) {
    let length = end(ofToken: token) - at
    guard length == word.utf8CodeUnitCount, let start = text.baseAddress,
      memcmp(start + at, word.utf8Start, length) == 0
    else { throw .malformed(offset: at, fault: .unexpected(expected: "a value")) }
    append(node)
  }

  private mutating func appendString(at: Int, token: Int) throws(PayloadError) {
    // The index says where a string begins; it ends with the last byte before the next token that isn't white space.
    let last = end(ofToken: token) - 1
    guard last > at, text[last] == UInt8(ascii: "\"") else { throw .malformed(offset: at, fault: .unclosedString) }
    let body = UnsafeBufferPointer(rebasing: text[at + 1..<last])
    guard body.contains(byte: UInt8(ascii: "\\")) else {
      return try append(.string, inScratch: false, offset: at + 1, length: body.count)
    }
    let offset = scratch.count
    try JSONEscapes.decode(body, textOffset: at + 1, into: &scratch)
    try append(.string, inScratch: true, offset: scratchStart + offset, length: scratch.count - offset)
  }

  // MARK: Nodes

  @inline(__always)
  mutating func append(_ node: PayloadNode) {
    nodes[nodeCount] = node
    nodeCount += 1
  }

  @inline(__always)
  private mutating func append(
    _ kind: PayloadKind, inScratch: Bool, offset: Int, length: Int
  ) throws(PayloadError) {
    guard length <= PayloadNode.lengthMax else { throw .tooLarge(limit: "128 MiB in one string") }
    guard offset <= PayloadNode.offsetMax else { throw .tooLarge(limit: "4 GiB of text") }
    append(PayloadNode(kind, inScratch: inScratch, offset: offset, length: length))
  }

  private mutating func openContainer(_ kind: PayloadKind) throws(PayloadError) {
    guard open.count < depthMax else { throw .tooDeep(depthMax: PayloadDocument.depthMax) }
    open.append(OpenContainer(index: nodeCount, isObject: kind == .object))
    append(PayloadNode(open: kind))
  }

  private mutating func close() throws(PayloadError) {
    guard let container = open.popLast() else { return }
    guard container.count <= PayloadNode.countMax else {
      throw .tooLarge(limit: "\(PayloadNode.countMax) values in one array or object")
    }
    nodes[container.index].close(count: container.count, end: nodeCount)
  }

  /// Closes the container that all of the document is in.
  mutating func closeDocument(count: Int) {
    nodes[0].close(count: count, end: nodeCount)
  }

  private mutating func leaveOut(_ array: LeftOut, _ next: inout Int) throws(PayloadError) {
    leftOutPlace = (node: nodeCount - 1, depth: open.count)
    open[open.count - 1].count = array.count
    next = array.end
    try close()
  }

  // MARK: Tokens

  @inline(__always)
  private func offset(ofToken token: Int) -> Int? {
    token < tokens.count ? Int(tokens[token]) : nil
  }

  /// The place behind the last byte of a token that isn't a bracket: where the white space before the next one begins.
  @inline(__always)
  private func end(ofToken token: Int) -> Int {
    var end = token + 1 < tokens.count ? Int(tokens[token + 1]) : text.count
    while end > 0, text[end - 1].isWhiteSpace { end -= 1 }
    return end
  }

  private func unexpected(_ expected: String, atToken token: Int) -> PayloadError {
    guard let at = offset(ofToken: token) else { return .malformed(offset: text.count, fault: .unexpectedEnd) }
    return .malformed(offset: at, fault: .unexpected(expected: expected))
  }
}
