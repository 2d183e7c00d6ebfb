/// What a graph of vertices must be after a sequence of edits, by the simplest means: a table of labels, and a list of pairs
/// for each relationship.
struct PlainGraph: Equatable {
  /// A relationship with its two ends.
  enum Relation: Int, CaseIterable {
    case parent, leader, likes, owner, next, watched
  }

  /// One of the ends: the left one declares the relationship in its name, the right one is the inverse.
  enum End { case left, right }

  struct Link: Hashable {
    var left: Int
    var right: Int

    func vertex(_ end: End) -> Int { end == .left ? left : right }
  }

  var labels: [Int: Int] = [:]
  private var links = [Set<Link>](repeating: [], count: Relation.allCases.count)
  /// Vertices that the next save deletes. They keep their links, in case they are inserted again.
  private(set) var deleted: Set<Int> = []
  /// Vertices that no save has stored yet.
  private(set) var unsaved: Set<Int> = []

  /// The vertices that are not deleted.
  var present: [Int] { labels.keys.filter { !deleted.contains($0) }.sorted() }

  /// Whom a vertex is linked to, of those that are present.
  func related(_ vertex: Int, _ relation: Relation, _ end: End) -> [Int] {
    links[relation.rawValue].filter { $0.vertex(end) == vertex }.map { $0.vertex(end.other) }
      .filter { !deleted.contains($0) }.sorted()
  }

  mutating func insert(_ vertex: Int, label: Int) {
    labels[vertex] = label
    unsaved.insert(vertex)
  }

  mutating func delete(_ vertex: Int) {
    if unsaved.contains(vertex) { remove(vertex) } else { deleted.insert(vertex) }
  }

  mutating func restore(_ vertex: Int) {
    deleted.remove(vertex)
  }

  /// Makes a vertex linked to exactly these.
  mutating func relate(_ vertex: Int, _ relation: Relation, _ end: End, to others: [Int]) {
    links[relation.rawValue] = links[relation.rawValue].filter { $0.vertex(end) != vertex }
    for other in others {
      // An end that leads to one vertex only loses the one that it leads to.
      if !relation.isToMany(end.other) {
        links[relation.rawValue] = links[relation.rawValue].filter { $0.vertex(end.other) != other }
      }
      links[relation.rawValue].insert(
        end == .left ? Link(left: vertex, right: other) : Link(left: other, right: vertex))
    }
  }

  /// Deletes what is to be deleted, and what is owned by it.
  mutating func save() {
    var gone = deleted
    var owners = Array(deleted)
    while let owner = owners.popLast() {
      for link in links[Relation.owner.rawValue] where link.right == owner && gone.insert(link.left).inserted {
        owners.append(link.left)
      }
    }
    for vertex in gone { remove(vertex) }
    deleted = []
    unsaved = []
  }

  private mutating func remove(_ vertex: Int) {
    labels[vertex] = nil
    unsaved.remove(vertex)
    links = links.map { $0.filter { $0.left != vertex && $0.right != vertex } }
  }
}

extension PlainGraph.End {
  var other: Self { self == .left ? .right : .left }
}

extension PlainGraph.Relation {
  /// Whether an end leads to any number of vertices.
  func isToMany(_ end: PlainGraph.End) -> Bool {
    switch self {
    case .leader: false
    case .parent, .owner: end == .right
    case .next: end == .right
    case .likes, .watched: true
    }
  }

  /// Whether the model class has a property for an end.
  func isDeclared(_ end: PlainGraph.End) -> Bool {
    end == .left || self != .next && self != .watched
  }
}

extension Vertex {
  func related(_ relation: PlainGraph.Relation, _ end: PlainGraph.End) -> [Vertex] {
    switch (relation, end) {
    case (.parent, .left): parent.map { [$0] } ?? []
    case (.parent, .right): children
    case (.leader, .left): leader.map { [$0] } ?? []
    case (.leader, .right): follower.map { [$0] } ?? []
    case (.likes, .left): likes
    case (.likes, .right): likedBy
    case (.owner, .left): owner.map { [$0] } ?? []
    case (.owner, .right): owned
    case (.next, _): next.map { [$0] } ?? []
    case (.watched, _): watched
    }
  }

  func relate(_ relation: PlainGraph.Relation, _ end: PlainGraph.End, to others: [Vertex]) {
    switch (relation, end) {
    case (.parent, .left): parent = others.first
    case (.parent, .right): children = others
    case (.leader, .left): leader = others.first
    case (.leader, .right): follower = others.first
    case (.likes, .left): likes = others
    case (.likes, .right): likedBy = others
    case (.owner, .left): owner = others.first
    case (.owner, .right): owned = others
    case (.next, _): next = others.first
    case (.watched, _): watched = others
    }
  }
}
