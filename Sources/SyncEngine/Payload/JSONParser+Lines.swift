extension JSONParser {
  /// Parses every line for itself, so that a fault in one is not taken for one in the next.
  mutating func parseLines() throws(PayloadError) {
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
    closeDocument(count: count)
  }
}
