/// Cutting a text into windows, a part of it after the other.
extension RowOutline {
  /// The windows of a text that is an array of objects; nil if it is anything else, or malformed, or if that can't be seen:
  /// then somebody has to look at the text as a whole.
  init?(array text: PayloadText, windowBytes: Int = Self.windowBytes) {
    self.init(.json)
    let isCut = text.withBytes { bytes -> Bool in
      var start = bytes.endOfWhiteSpace(from: bytes.byteOrderMarkCount)
      guard start < bytes.count, bytes[start] == UInt8(ascii: "[") else { return false }
      start += 1
      var size = windowBytes
      while true {
        guard let part = Part(of: bytes, from: start, byteCount: size) else { return false }
        let partRange = start..<part.end
        defer { text.release(partRange) }
        if rowCount == 0, part.byte(atToken: 0) == UInt8(ascii: "]") {
          return bytes.endOfWhiteSpace(from: start + part.offset(0) + 1) == bytes.count
        }
        let found = RowSpan.objects(fromToken: 0, in: part.text, part.index.tokens)
        if found.end == .foreign { return false }
        if let first = found.spans.first, let last = found.spans.last {
          append(start + Int(first.bytes.lowerBound)..<start + Int(last.bytes.upperBound), rowCount: found.spans.count)
        }
        if found.end == .closed {
          return bytes.endOfWhiteSpace(from: start + part.offset(found.next - 1) + 1) == bytes.count
        }
        // The array isn't closed.
        if part.end == bytes.count { return false }
        // A row that is larger than the window needs a larger one.
        size = found.spans.isEmpty ? size * 2 : windowBytes
        if !found.spans.isEmpty { start += part.offset(found.next - 1) + 1 }
      }
    }
    if !isCut { return nil }
  }

  /// The windows of a text of lines.
  init(lines text: PayloadText, windowBytes: Int = Self.windowBytes) {
    self.init(.ndjson)
    text.withBytes { bytes in
      var (start, count) = (bytes.byteOrderMarkCount, 0)
      var lineStart = start
      while lineStart < bytes.count {
        let lineEnd = bytes.firstIndex(of: UInt8(ascii: "\n"), from: lineStart)
        if bytes.endOfWhiteSpace(from: lineStart) < lineEnd { count += 1 }
        lineStart = lineEnd + 1
        if lineStart - start >= windowBytes || lineStart >= bytes.count {
          if count > 0 { append(start..<lineEnd, rowCount: count) }
          text.release(start..<lineEnd)
          (start, count) = (lineStart, 0)
        }
      }
    }
  }

  /// A part of a text that ends outside of a string, with its tokens.
  private struct Part {
    let text: UnsafeBufferPointer<UInt8>
    let index: TokenIndex
    /// Where it ends in the whole text.
    let end: Int

    /// Nil if it has no tokens, or can't be read.
    init?(of whole: UnsafeBufferPointer<UInt8>, from start: Int, byteCount: Int) {
      var end = min(start + byteCount, whole.count)
      while end < whole.count, end > start, whole[end] & 0xC0 == 0x80 { end -= 1 }
      do throws(TokenIndex.Refusal) {
        index = try TokenIndex(of: UnsafeBufferPointer(rebasing: whole[start..<end]))
      } catch .unclosedString {
        end = whole.endOfString(from: end)
        guard let index = try? TokenIndex(of: UnsafeBufferPointer(rebasing: whole[start..<end])) else { return nil }
        self.index = index
      } catch {
        return nil
      }
      if index.tokens.isEmpty { return nil }
      text = UnsafeBufferPointer(rebasing: whole[start..<end])
      self.end = end
    }

    func offset(_ token: Int) -> Int { Int(index.tokens[token]) }

    func byte(atToken token: Int) -> UInt8 { text[offset(token)] }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The place of the first byte from a place on that isn't white space of JSON; the end if there is none.
  fileprivate func endOfWhiteSpace(from start: Int) -> Int {
    var place = start
    while place < count, self[place].isWhiteSpace { place += 1 }
    return place
  }

  /// The place behind the quote that closes a string, from a place inside of the string on.
  fileprivate func endOfString(from start: Int) -> Int {
    var quote = firstIndex(of: UInt8(ascii: "\""), from: start)
    while quote < count {
      var escapes = 0
      while self[quote - 1 - escapes] == UInt8(ascii: "\\") { escapes += 1 }
      if escapes % 2 == 0 { break }
      quote = firstIndex(of: UInt8(ascii: "\""), from: quote + 1)
    }
    return Swift.min(quote + 1, count)
  }
}
