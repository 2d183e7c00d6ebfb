import Records

/// A way along relationships from the rows of a live query to others whose changes concern it.
struct LivePath {
  let hops: [Relationship]
  /// The properties at its end that decide which rows are the query's.
  var members = PropertySet()
  /// Those that decide in which order they come.
  var order = PropertySet()
  /// Those that are shown with a row.
  var shown = PropertySet()

  /// The way as a key of dictionaries.
  var key: [RelationshipID] { hops.map(\.id) }

  /// The properties by which the query may have other rows, or the same in another order.
  var deciding: PropertySet { members.union(order) }

  var everything: PropertySet { deciding.union(shown) }
}

extension PropertySet {
  func union(_ other: PropertySet) -> PropertySet {
    var result = self
    result.formUnion(other)
    return result
  }
}

extension [LivePath] {
  /// The path along some hops, added if there is none.
  subscript(hops: [Relationship]) -> LivePath {
    get { first { $0.key == hops.map(\.id) } ?? LivePath(hops: hops) }
    set {
      if let known = firstIndex(where: { $0.key == newValue.key }) { self[known] = newValue } else { append(newValue) }
    }
  }
}
