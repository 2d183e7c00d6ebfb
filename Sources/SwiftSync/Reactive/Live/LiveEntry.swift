import Records

/// A live query's place in the directories of its context, which hold the query weakly.
final class LiveEntry {
  let number: Int
  let interest: LiveInterest
  let scope: LiveScope?
  /// The value that all its rows have in common, if there is one whatever its rows are.
  private let key: LiveKey?
  /// Whether rows that it has not got may be counted in front of those that it has.
  private let hasOffset: Bool
  private(set) weak var query: LiveQuery?
  /// What it is filed under at the moment.
  var filed = Filing()

  struct Filing {
    /// What leads from changed rows of its entity to it; empty if it is asked about all of them.
    var keys: [LiveKey] = []
    var rows: [RowNumber] = []
    var scopeRows: [RowNumber] = []
  }

  init(_ query: LiveQuery, number: Int) {
    self.number = number
    self.query = query
    interest = query.interest
    scope = query.scope
    hasOffset = query.window.offset > 0
    key = LiveKey(query.condition, of: query.interest.entity)
  }

  /// The values of which its rows have one at the moment; nil if any row may concern it.
  var keys: [LiveKey]? {
    if hasOffset { return nil }
    guard let relationship = scope?.relationship else { return key.map { [$0] } }
    return (query?.scopeRows ?? []).map { LiveKey(relationship, leadsTo: $0) }
  }

  func path(_ key: [RelationshipID]) -> LivePath? { interest.paths.first { $0.key == key } }
}

/// A set of entries.
struct LiveSet {
  private(set) var entries: [Int: LiveEntry] = [:]

  var isEmpty: Bool { entries.isEmpty }
  func contains(_ entry: LiveEntry) -> Bool { entries[entry.number] != nil }
  mutating func insert(_ entry: LiveEntry) { entries[entry.number] = entry }
  mutating func remove(_ entry: LiveEntry) { entries[entry.number] = nil }
}
