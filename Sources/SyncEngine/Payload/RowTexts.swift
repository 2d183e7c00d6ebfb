/// Where the rows of a payload stand in its text, found without a look at what is in them.
struct RowTexts: Sendable {
  /// One row: its tokens and its bytes.
  struct Span: Sendable {
    let firstToken: UInt32
    let start: UInt32
    /// Behind the row.
    let end: UInt32
  }

  let index: TokenIndex
  /// The node of the array that the rows are elements of.
  let arrayNode: Int
  let spans: [Span]

  /// How deep the rows lie in the document.
  let depth: Int
}

extension RowTexts {
  /// Whether a path leads to the array of the rows.
  func isFound(
    at path: PayloadPath, among nodes: [PayloadNode], scratch: [UInt8], in text: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    PayloadMemory.with(nodes, text, scratch) { memory in
      let found = try? path.find(in: PayloadValue(memory: memory, index: 0))
      return found?.value.index == arrayNode
    }
  }

  /// The token of the array that a path leads to, as far as that can be seen easily: keys with escapes or dots are not
  /// understood. Whoever asks looks at the document then whether it is the array.
  static func arrayToken(
    at path: PayloadPath, in text: UnsafeBufferPointer<UInt8>, _ tokens: UnsafeBufferPointer<UInt32>
  ) -> Int? {
    var token = 0
    for segment in path.description.split(separator: ".", omittingEmptySubsequences: false) where !path.isEmpty {
      var key = "\"\(segment)\""
      guard let member = key.withUTF8({ self.member($0, ofObjectAt: token, in: text, tokens) }) else { return nil }
      token = member
    }
    return byte(at: token, in: text, tokens) == UInt8(ascii: "[") ? token : nil
  }

  /// The token of the value under a quoted key; of several, the last.
  private static func member(
    _ key: UnsafeBufferPointer<UInt8>, ofObjectAt token: Int, in text: UnsafeBufferPointer<UInt8>,
    _ tokens: UnsafeBufferPointer<UInt32>
  ) -> Int? {
    guard byte(at: token, in: text, tokens) == UInt8(ascii: "{") else { return nil }
    var found: Int?
    var next = token + 1
    while next + 2 < tokens.count, byte(at: next, in: text, tokens) == UInt8(ascii: "\"") {
      let start = Int(tokens[next])
      let isKey = start + key.count <= text.count && text[start..<start + key.count].elementsEqual(key)
      if isKey { found = next + 2 }
      next = end(ofValueAt: next + 2, in: text, tokens)
      guard byte(at: next, in: text, tokens) == UInt8(ascii: ",") else { break }
      next += 1
    }
    return found
  }

  /// The token behind a value, by its brackets alone.
  @inline(__always)
  static func end(
    ofValueAt token: Int, in text: UnsafeBufferPointer<UInt8>, _ tokens: UnsafeBufferPointer<UInt32>
  ) -> Int {
    var depth = 0
    var next = token
    while next < tokens.count {
      switch text[Int(tokens[next])] {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
      next += 1
      if depth <= 0 { break }
    }
    return next
  }

  private static func byte(
    at token: Int, in text: UnsafeBufferPointer<UInt8>, _ tokens: UnsafeBufferPointer<UInt32>
  ) -> UInt8? {
    token < tokens.count ? text[Int(tokens[token])] : nil
  }

  /// The spans of the objects in an array, and the token behind it; nil if it has anything but objects, or ends in another
  /// way than an array.
  static func spans(
    ofArrayAt token: Int, in text: UnsafeBufferPointer<UInt8>, _ tokens: UnsafeBufferPointer<UInt32>
  ) -> (spans: [Span], end: Int)? {
    var spans: [Span] = []
    var next = token + 1
    if byte(at: next, in: text, tokens) == UInt8(ascii: "]") { return (spans, next + 1) }
    while byte(at: next, in: text, tokens) == UInt8(ascii: "{") {
      let end = end(ofValueAt: next, in: text, tokens)
      spans.append(Span(firstToken: UInt32(next), start: tokens[next], end: tokens[end - 1] + 1))
      switch byte(at: end, in: text, tokens) {
      case UInt8(ascii: ","): next = end + 1
      case UInt8(ascii: "]"): return (spans, end + 1)
      default: return nil
      }
    }
    return nil
  }
}
