/// Which pages of a snapshot have been met, so that a page that is used twice, or not at all, is noticed.
///
/// One bit for each page.
struct PageUse {
  /// The first page behind the two meta pages.
  static let firstPage: UInt64 = 2

  let lastPage: UInt64
  private var words: [UInt64]

  init(lastPage: UInt64) {
    self.lastPage = lastPage
    words = Array(repeating: 0, count: Int(lastPage / 64) + 1)
  }

  /// Whether there is such a page behind the meta pages.
  func contains(_ page: UInt64) -> Bool {
    page >= Self.firstPage && page <= lastPage
  }

  /// Notes a page, which must be one that there is; false when it was met before.
  mutating func claim(_ page: UInt64) -> Bool {
    let word = Int(page / 64)
    let bit: UInt64 = 1 << (page % 64)
    if words[word] & bit != 0 { return false }
    words[word] |= bit
    return true
  }

  /// The runs of pages that nobody has claimed, in order.
  func forEachUnclaimedRun(_ body: (_ first: UInt64, _ count: UInt64) -> Void) {
    var first: UInt64?
    var page = Self.firstPage
    while page <= lastPage {
      let word = words[Int(page / 64)]
      if page % 64 == 0, word == .max, first == nil {
        page += 64
        continue
      }
      if word & (1 << (page % 64)) == 0 {
        if first == nil { first = page }
      } else if let start = first {
        body(start, page - start)
        first = nil
      }
      page += 1
    }
    if let first, first <= lastPage { body(first, lastPage - first + 1) }
  }
}
