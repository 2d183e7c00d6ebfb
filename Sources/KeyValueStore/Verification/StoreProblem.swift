/// Something in a store that contradicts something else in it, or that can't be what it should be.
public enum StoreProblem: Sendable, Hashable {
  /// A page of the data file is not what leads to it takes it for.
  case page(UInt64, of: StoreTree, PageFault)
  /// The numbers that are kept about a tree can't belong together.
  case treeRecord(of: StoreTree)
  /// A number that is kept about a tree is not the number that was found.
  case count(TreeQuantity, of: StoreTree, recorded: UInt64, found: UInt64)
  /// The last page of the data file lies further behind its end than can be.
  case lastPage(UInt64, pagesPresent: UInt64)
  /// Pages are neither used nor free.
  case lostPages(first: UInt64, count: UInt64)
  /// A file is not as it should be.
  case file(name: String, reason: String)
  /// The files can't be one store, for a reason that opening them would give too.
  case damaged(reason: String)
}

/// A number that LMDB keeps about a tree.
public enum TreeQuantity: String, Sendable, Hashable {
  /// Its entries.
  case entries
  /// Its pages that lead to other pages.
  case branchPages = "branch pages"
  /// Its pages that hold entries.
  case leafPages = "leaf pages"
  /// Its pages that hold values too large for a leaf.
  case overflowPages = "overflow pages"
}

extension StoreProblem: CustomStringConvertible {
  /// One sentence.
  public var description: String {
    switch self {
    case .page(let number, let tree, let fault): "Page \(number) of \(tree) \(fault)."
    case .treeRecord(let tree): "What is recorded about \(tree) can't be true."
    case .count(let quantity, let tree, let recorded, let found):
      "The number of \(quantity.rawValue) of \(tree) should be \(recorded), but \(found) were found."
    case .lastPage(let page, let pagesPresent):
      "The data file should have \(page) as its last page, but has only \(pagesPresent) pages."
    case .lostPages(let first, let count):
      count == 1 ? "Page \(first) is neither used nor free." : "\(count) pages from \(first) are neither used nor free."
    case .file(let name, let reason): "In \(name): \(reason)."
    case .damaged(let reason): "The store is damaged: \(reason)."
    }
  }
}

/// The problems that a check has found, up to a number beyond which they are only counted.
struct ProblemList {
  /// More than anybody reads; a file can have millions.
  static let kept = 1000

  private(set) var problems: [StoreProblem] = []
  private(set) var countBeyond = 0

  var isEmpty: Bool { problems.isEmpty }

  mutating func append(_ problem: StoreProblem) {
    if problems.count < Self.kept { problems.append(problem) } else { countBeyond += 1 }
  }
}
