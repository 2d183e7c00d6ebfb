import CSimdjson

/// Turns JSON text into the nodes of a document.
///
/// simdjson finds the tokens and checks the encoding; this walks the tokens once, checks the grammar and writes one node per
/// value. Nothing is copied but strings with escapes, and no number is converted: that is done when somebody asks for it
/// and its type is known, so no digit is lost.
struct JSONParser {
  private var text: UnsafeBufferPointer<UInt8>
  private var tokens: UnsafeBufferPointer<UInt32>
  private var nodes: UnsafeMutableBufferPointer<PayloadNode>
  private var nodeCount = 0
  private var scratch: [UInt8] = []
  private var open: [OpenContainer] = []

  private struct OpenContainer {
    let index: Int
    let isObject: Bool
    var count = 0
  }

  /// - Throws: `PayloadError` with the byte offset of the first fault that was found.
  static func parse(
    _ text: UnsafeBufferPointer<UInt8>, as format: PayloadFormat
  ) throws(PayloadError) -> (nodes: [PayloadNode], scratch: [UInt8]) {
    var index = csimdjson_index()
    switch csimdjson_index_make(text.baseAddress, text.count, &index) {
    case CSIMDJSON_OK: break
    case CSIMDJSON_EMPTY where format == .json: throw .malformed(offset: 0, fault: .emptyText)
    case CSIMDJSON_EMPTY: index.count = 0
    case CSIMDJSON_NO_CAPACITY:
      if text.count > PayloadNode.offsetMax { throw .tooLarge(limit: "4 GiB of text") }
      throw .noMemory
    default:
      let fault = JSONFaultFinder.find(in: text)
      throw format == .ndjson ? fault.inLine(of: text) : fault
    }
    defer { csimdjson_index_free(index) }

    let tokens = UnsafeBufferPointer<UInt32>(start: index.positions, count: index.count)
    var scratch: [UInt8] = []
    // Every node is made from a token of its own, so there are never more of them; lines have one for the array around them.
    let capacity = tokens.count + 1
    let nodes = try [PayloadNode](unsafeUninitializedCapacity: capacity) { (buffer, count) throws(PayloadError) in
      var parser = JSONParser(text: text, tokens: tokens, nodes: buffer)
      switch format {
      case .json: try parser.parseDocument()
      case .ndjson: try parser.parseLines()
      }
      count = parser.nodeCount
      scratch = parser.scratch
    }
    return (nodes, scratch)
  }

  private init(
    text: UnsafeBufferPointer<UInt8>, tokens: UnsafeBufferPointer<UInt32>,
    nodes: UnsafeMutableBufferPointer<PayloadNode>
  ) {
    self.text = text
    self.tokens = tokens
    self.nodes = nodes
  }

  private enum Step {
    case value
    case key
    /// A value is complete.
    case afterValue
  }

  /// Parses every line for itself, so that a fault in one is not taken for one in the next.
  private mutating func parseLines() throws(PayloadError) {
    let (allText, allTokens) = (text, tokens)
    append(PayloadNode(open: .array))
    var (count, lineStart, nextToken) = (0, 0, 0)
    while nextToken < allTokens.count {
      let lineEnd = allText.firstIndex(of: UInt8(ascii: "\n"), from: lineStart)
      let firstToken = nextToken
      while nextToken < allTokens.count, allTokens[nextToken] < lineEnd { nextToken += 1 }
      if nextToken > firstToken {
        text = UnsafeBufferPointer(rebasing: allText[..<lineEnd])
        tokens = UnsafeBufferPointer(rebasing: allTokens[firstToken..<nextToken])
        do {
          try parseDocument()
        } catch {
          throw error.inLine(of: allText)
        }
        count += 1
      }
      lineStart = lineEnd + 1
    }
    guard count <= PayloadNode.countMax else { throw .tooLarge(limit: "\(PayloadNode.countMax) lines") }
    nodes[0].close(count: count, end: nodeCount)
  }

  private mutating func parseDocument() throws(PayloadError) {
    var step = Step.value
    var next = 0
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
        guard let container = open.last else {
          if let at = offset(ofToken: next) { throw .malformed(offset: at, fault: .textAfterDocument) }
          return
        }
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
    try append(.string, inScratch: true, offset: offset, length: scratch.count - offset)
  }

  // MARK: Nodes

  @inline(__always)
  private mutating func append(_ node: PayloadNode) {
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
    guard open.count < PayloadDocument.depthMax else { throw .tooDeep(depthMax: PayloadDocument.depthMax) }
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

  // MARK: Tokens

  @inline(__always)
  private func offset(ofToken token: Int) -> Int? {
    token < tokens.count ? Int(tokens[token]) : nil
  }

  /// The place behind the last byte of a token that isn't a bracket: where the white space before the next one begins.
  @inline(__always)
  private func end(ofToken token: Int) -> Int {
    var end = token + 1 < tokens.count ? Int(tokens[token + 1]) : text.count
    while end > 0, isWhiteSpace(text[end - 1]) { end -= 1 }
    return end
  }

  @inline(__always)
  private func isWhiteSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  private func unexpected(_ expected: String, atToken token: Int) -> PayloadError {
    guard let at = offset(ofToken: token) else { return .malformed(offset: text.count, fault: .unexpectedEnd) }
    return .malformed(offset: at, fault: .unexpected(expected: expected))
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The place of the first such byte from a place on; the end if there is none.
  fileprivate func firstIndex(of byte: UInt8, from start: Int) -> Int {
    guard let baseAddress, start < count, let found = memchr(baseAddress + start, Int32(byte), count - start) else {
      return count
    }
    return UnsafeRawPointer(baseAddress).distance(to: found)
  }

  @inline(__always)
  fileprivate func contains(byte: UInt8) -> Bool {
    guard let baseAddress else { return false }
    // A call costs more than a look at a few bytes, and most strings are keys and short values.
    if count < 16 {
      var index = 0
      while index < count {
        if baseAddress[index] == byte { return true }
        index += 1
      }
      return false
    }
    return memchr(baseAddress, Int32(byte), count) != nil
  }
}
