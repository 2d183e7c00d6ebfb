/// The links that a pass has made and removed from the rows of one entity.
struct LinkChanges {
  var linked = LinkCount()
  var unlinked = LinkCount()
}

/// How many links, and of which rows the first are, in the order in which the report names them.
struct LinkCount {
  private(set) var count = 0
  private var orders: [Int] = []
  private(set) var slots: [Int] = []

  /// Counts links of a row.
  mutating func note(_ slot: Int, order: Int, count: Int) {
    self.count += count
    let isFull = slots.count == SyncReport.detailsMax
    if isFull, let last = orders.last, order >= last { return }
    var place = orders.count
    while place > 0, orders[place - 1] > order { place -= 1 }
    if place > 0, orders[place - 1] == order { return }
    orders.insert(order, at: place)
    slots.insert(slot, at: place)
    if isFull {
      orders.removeLast()
      slots.removeLast()
    }
  }
}
