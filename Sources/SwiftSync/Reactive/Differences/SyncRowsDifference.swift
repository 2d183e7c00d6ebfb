/// What turns one list into another in which nothing occurs twice: what a view of the list animates.
///
/// Positions of deletions, and those where moves and updates begin, are in the list before; those of insertions, and those where
/// moves and updates end, are in the list after. As few elements as possible are moved.
public struct SyncRowsDifference: Equatable, Sendable {
  /// An element that is in both lists.
  public struct Change: Equatable, Hashable, Sendable {
    /// Its position before.
    public let from: Int
    /// Its position after.
    public let to: Int

    /// Makes a change.
    public init(from: Int, to: Int) {
      self.from = from
      self.to = to
    }
  }

  /// Positions before of what is gone, in ascending order.
  public let deletions: [Int]
  /// Positions after of what has come, in ascending order.
  public let insertions: [Int]
  /// What has another place among the elements that are in both lists, by its position after.
  public let moves: [Change]
  /// What is in both lists and shows something else than before, moved or not, by its position after.
  public let updates: [Change]

  /// Whether there is nothing to do.
  public var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && moves.isEmpty && updates.isEmpty }

  /// Compares two lists of elements, none of which occurs twice.
  ///
  /// - Parameters:
  ///   - old: the list before.
  ///   - new: the list after.
  ///   - isUpdated: whether an element that is in both shows something else than before.
  public init<Element: Hashable>(from old: [Element], to new: [Element], isUpdated: (Element) -> Bool) {
    var before: [Element: Int] = [:]
    before.reserveCapacity(old.count)
    for (position, element) in old.enumerated() { before[element] = position }
    var kept: [Change] = []
    var insertions: [Int] = []
    var updates: [Change] = []
    for (position, element) in new.enumerated() {
      guard let from = before.removeValue(forKey: element) else {
        insertions.append(position)
        continue
      }
      let change = Change(from: from, to: position)
      kept.append(change)
      if isUpdated(element) { updates.append(change) }
    }
    deletions = before.values.sorted()
    self.insertions = insertions
    self.updates = updates
    let still = Set(LongestRun.positions(in: kept.map(\.from)))
    moves = kept.indices.filter { !still.contains($0) }.map { kept[$0] }
  }

  /// Applies the difference to a list: the list after, of which `element` gives what has come, by its position.
  public func applying<Element>(to old: [Element], inserting element: (Int) -> Element) -> [Element] {
    let leaving = Set(deletions).union(moves.map(\.from))
    var coming: [Int: Element] = [:]
    for position in insertions { coming[position] = element(position) }
    for move in moves { coming[move.to] = old[move.from] }
    var staying = old.indices.lazy.filter { !leaving.contains($0) }.map { old[$0] }.makeIterator()
    let count = old.count - deletions.count + insertions.count
    return (0..<count).compactMap { coming[$0] ?? staying.next() }
  }
}
