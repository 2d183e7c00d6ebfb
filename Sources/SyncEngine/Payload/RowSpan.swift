/// One row's place in a text: its tokens and its bytes.
struct RowSpan: Sendable {
  let tokens: Range<UInt32>
  let bytes: Range<UInt32>
}

/// Finding rows by their brackets, without a look at what is in them.
extension RowSpan {
  /// What stands behind the rows that were found.
  enum End: Equatable {
    /// The array ends here.
    case closed
    /// The text does, behind a comma or in the middle of a row.
    case open
    /// Something that an array of objects doesn't have.
    case foreign
  }

  /// The spans of the objects in an array, from the token of one on, and the token behind what was read of the array: all
  /// of it, or the rows that the text has in full.
  static func objects(
    fromToken first: Int, in text: UnsafeBufferPointer<UInt8>, _ tokens: UnsafeBufferPointer<UInt32>
  ) -> (spans: [RowSpan], next: Int, end: End) {
    var spans: [RowSpan] = []
    var next = first
    while next < tokens.count {
      guard text[Int(tokens[next])] == UInt8(ascii: "{") else { return (spans, next, .foreign) }
      guard let end = end(ofValueAt: next, in: text, tokens), end < tokens.count else { break }
      let row = RowSpan(
        tokens: UInt32(truncatingIfNeeded: next)..<UInt32(truncatingIfNeeded: end),
        bytes: tokens[next]..<tokens[end - 1] + 1)
      switch text[Int(tokens[end])] {
      case UInt8(ascii: ","):
        spans.append(row)
        next = end + 1
      case UInt8(ascii: "]"):
        spans.append(row)
        return (spans, end + 1, .closed)
      default: return (spans, next, .foreign)
      }
    }
    return (spans, next, .open)
  }

  /// The spans of the lines in a text that aren't blank.
  static func lines(
    in text: UnsafeBufferPointer<UInt8>, _ tokens: UnsafeBufferPointer<UInt32>
  ) -> [RowSpan] {
    var spans: [RowSpan] = []
    var next = 0
    while next < tokens.count {
      let first = next
      var end = text.firstIndex(of: UInt8(ascii: "\n"), from: Int(tokens[first]))
      while next < tokens.count, tokens[next] < end { next += 1 }
      while end > 0, text[end - 1].isWhiteSpace { end -= 1 }
      spans.append(
        RowSpan(
          tokens: UInt32(truncatingIfNeeded: first)..<UInt32(truncatingIfNeeded: next),
          bytes: tokens[first]..<UInt32(truncatingIfNeeded: end)))
    }
    return spans
  }

  /// The token behind a value, by its brackets alone; nil if the tokens end before it does.
  @inline(__always)
  static func end(
    ofValueAt token: Int, in text: UnsafeBufferPointer<UInt8>, _ tokens: UnsafeBufferPointer<UInt32>
  ) -> Int? {
    var depth = 0
    var next = token
    while next < tokens.count {
      switch text[Int(tokens[next])] {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
      next += 1
      if depth <= 0 { return next }
    }
    return nil
  }

  // MARK: The array of an envelope

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
      guard let end = end(ofValueAt: next + 2, in: text, tokens), byte(at: end, in: text, tokens) == UInt8(ascii: ",")
      else { break }
      next = end + 1
    }
    return found
  }

  static func byte(
    at token: Int, in text: UnsafeBufferPointer<UInt8>, _ tokens: UnsafeBufferPointer<UInt32>
  ) -> UInt8? {
    token < tokens.count ? text[Int(tokens[token])] : nil
  }
}
