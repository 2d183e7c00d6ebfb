/// A line and a column of a file, which moves on from one tag to the next.
///
/// libxml2 tells where a tag ends, and who looks for it wants to know where it begins.
struct FilePlace {
  private let bytes: [UInt8]
  private var offset = 0
  private var lineStart = 0
  private(set) var line = 1

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    // A byte-order mark belongs to no column.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { lineStart = 3 }
  }

  /// Counted in bytes from 1.
  var column: Int { max(offset - lineStart, 0) + 1 }

  /// Moves to the beginning of the tag that ends at an offset. No value in a tag has a `<` in it.
  mutating func advance(toTagBefore end: Int) {
    let end = min(max(end, offset), bytes.count)
    let start = bytes[offset..<end].lastIndex(of: UInt8(ascii: "<")) ?? end
    for index in offset..<start where bytes[index] == UInt8(ascii: "\n") {
      line += 1
      lineStart = index + 1
    }
    offset = start
  }
}
