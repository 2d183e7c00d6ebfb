/// What a store of vertices must hold when several contexts save into it, by the simplest means.
///
/// The rules: an edited attribute or to-one relationship gets the value that was assigned last, by whoever saves last; members
/// of to-many relationships are added and removed one by one; what somebody has deleted stays deleted, and nobody's link leads
/// to it. One-to-one relationships are left out, and only judged by the store's own checks.
struct PlainStore: Equatable {
  struct Pair: Hashable {
    var left: Int
    var right: Int
  }

  /// The relationships that are to-one on the left.
  static let toOne: [PlainGraph.Relation] = [.parent, .owner, .next]
  /// The relationships that are to-many on both sides.
  static let toMany: [PlainGraph.Relation] = [.likes, .watched]

  var labels: [Int: Int] = [:]
  /// By relationship: vertex and destination.
  var destinations: [PlainGraph.Relation: [Int: Int]] = [:]
  var pairs: [PlainGraph.Relation: Set<Pair>] = [:]

  /// What one context has edited and not saved.
  struct Edits: Equatable {
    var inserted: Set<Int> = []
    var deleted: Set<Int> = []
    var labels: [Int: Int] = [:]
    var destinations: [PlainGraph.Relation: [Int: Int?]] = [:]
    /// Vertices that were taken out of the members of another one, without its being their destination in the context.
    var unlinked: [PlainGraph.Relation: Set<Pair>] = [:]
    var pairs: [PlainGraph.Relation: [Pair: Bool]] = [:]

    mutating func assign(_ relation: PlainGraph.Relation, _ vertex: Int, _ destination: Int?) {
      destinations[relation, default: [:]][vertex] = .some(destination)
      if let destination { unlinked[relation]?.remove(Pair(left: vertex, right: destination)) }
    }

    /// A vertex that was never saved, or whose row another context has deleted.
    mutating func forget(_ vertex: Int) {
      inserted.remove(vertex)
      deleted.remove(vertex)
      labels[vertex] = nil
      for relation in PlainStore.toOne { destinations[relation]?[vertex] = nil }
    }
  }

  func contains(_ vertex: Int) -> Bool { labels[vertex] != nil }

  mutating func save(_ edits: Edits) {
    for (vertex, label) in edits.labels where contains(vertex) || edits.inserted.contains(vertex) {
      labels[vertex] = label
    }
    for relation in Self.toOne {
      for pair in edits.unlinked[relation] ?? [] where destinations[relation]?[pair.left] == pair.right {
        destinations[relation]?[pair.left] = nil
      }
      for (vertex, destination) in edits.destinations[relation] ?? [:] where contains(vertex) {
        destinations[relation, default: [:]][vertex] = destination.flatMap { contains($0) ? $0 : nil }
      }
    }
    for relation in Self.toMany {
      for (pair, isLinked) in edits.pairs[relation] ?? [:] where contains(pair.left) && contains(pair.right) {
        if isLinked {
          pairs[relation, default: []].insert(pair)
        } else {
          pairs[relation]?.remove(pair)
        }
      }
    }
    for vertex in edits.deleted { delete(vertex) }
  }

  /// Deletes a vertex, what it owns, and what leads to them.
  private mutating func delete(_ vertex: Int) {
    guard contains(vertex) else { return }
    labels[vertex] = nil
    let owned = (destinations[.owner] ?? [:]).filter { $0.value == vertex }.keys
    for relation in Self.toOne {
      destinations[relation]?[vertex] = nil
      destinations[relation] = destinations[relation]?.filter { $0.value != vertex }
    }
    for relation in Self.toMany {
      pairs[relation] = pairs[relation]?.filter { $0.left != vertex && $0.right != vertex }
    }
    for vertex in owned { delete(vertex) }
  }

  /// Whom a vertex is linked to.
  func related(_ vertex: Int, _ relation: PlainGraph.Relation, _ end: PlainGraph.End) -> Set<Int> {
    if let pairs = pairs[relation] {
      return end == .left
        ? Set(pairs.filter { $0.left == vertex }.map(\.right)) : Set(pairs.filter { $0.right == vertex }.map(\.left))
    }
    let destinations = destinations[relation] ?? [:]
    if end == .left { return Set(destinations[vertex].map { [$0] } ?? []) }
    return Set(destinations.filter { $0.value == vertex }.keys)
  }
}
