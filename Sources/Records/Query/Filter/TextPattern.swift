import Glibc

/// A pattern that many texts are matched with: what can be decided by bytes is decided without making a string of the text.
struct TextPattern: Sendable {
  private let match: TextMatch
  private let pattern: String
  /// The UTF-8 of the pattern, composed or folded.
  private let bytes: [UInt8]
  private let isASCII: Bool

  init(_ match: TextMatch, _ pattern: String) {
    self.match = match
    self.pattern = pattern
    bytes = [UInt8]((match.folding == .exact ? pattern.composed : match.folding.fold(pattern)).utf8)
    isASCII = bytes.allSatisfy { $0 < 0x80 }
  }

  func matches(_ text: UnsafeRawBufferPointer) -> Bool {
    bytes.withUnsafeBytes { bytes in
      if KeyEncoder.isASCII(text) {
        // Nothing in ASCII is another spelling of anything else, and its folded form is its lower case.
        return isASCII && matchesASCII(text, bytes)
      }
      if match.folding == .exact, match.place == .contains, !bytes.isEmpty, KeyEncoder.isComposed(text),
        bytes.first(in: text, from: 0) == nil
      {
        return false
      }
      return match.matches(String(decoding: text, as: UTF8.self), pattern)
    }
  }

  private func matchesASCII(_ text: UnsafeRawBufferPointer, _ bytes: UnsafeRawBufferPointer) -> Bool {
    guard !bytes.isEmpty else { return match.place != .equals || text.isEmpty }
    guard bytes.count <= text.count else { return false }
    switch match.place {
    case .equals: return bytes.count == text.count && isFound(bytes, in: text, at: 0)
    case .hasPrefix: return isFound(bytes, in: text, at: 0)
    case .hasSuffix: return isFound(bytes, in: text, at: text.count - bytes.count)
    case .contains:
      guard match.folding == .exact else {
        return (0...(text.count - bytes.count)).contains { isFound(bytes, in: text, at: $0) }
      }
      var start = 0
      while let offset = bytes.first(in: text, from: start) {
        if isWhole(text, from: offset, to: offset + bytes.count) { return true }
        start = offset + 1
      }
      return false
    }
  }

  private func isFound(_ bytes: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer, at offset: Int) -> Bool {
    if match.folding == .exact {
      guard UnsafeRawBufferPointer(rebasing: text[offset...]).hasPrefix(bytes) else { return false }
    } else {
      for position in 0..<bytes.count where text[offset + position].lowercasedASCII != bytes[position] { return false }
    }
    return isWhole(text, from: offset, to: offset + bytes.count)
  }

  /// Whether a part of a text starts and ends between characters. In ASCII only a carriage return and a line feed make one
  /// character of two bytes.
  private func isWhole(_ text: UnsafeRawBufferPointer, from start: Int, to end: Int) -> Bool {
    !text.hasLineBreak(across: start) && !text.hasLineBreak(across: end)
  }
}

extension UnsafeRawBufferPointer {
  /// Where these bytes, of which there are some, occur first in others, from an offset on.
  fileprivate func first(in other: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard let base = other.baseAddress, let initial = first else { return nil }
    var offset = start
    while offset + count <= other.count {
      guard let place = memchr(base + offset, Int32(initial), other.count - count - offset + 1) else { return nil }
      offset = base.distance(to: UnsafeRawPointer(place))
      if UnsafeRawBufferPointer(rebasing: other[offset...]).hasPrefix(self) { return offset }
      offset += 1
    }
    return nil
  }

  fileprivate func hasLineBreak(across offset: Int) -> Bool {
    offset > 0 && offset < count && self[offset - 1] == 0x0D && self[offset] == 0x0A
  }
}

extension UInt8 {
  fileprivate var lowercasedASCII: UInt8 {
    self >= 0x41 && self <= 0x5A ? self | 0x20 : self
  }
}
