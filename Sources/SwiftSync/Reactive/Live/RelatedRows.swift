import Records

/// Rows that relationships lead from to changed rows.
enum RelatedRows {
  /// The rows from which a way leads to one of some rows, each with the properties that have changed at its end. Nil if more rows than
  /// `visitsMax` would have to be visited.
  static func sources(
    of ends: [RowNumber: PropertySet], along hops: [Relationship], visitsMax: Int?, in snapshot: RecordSnapshot
  ) throws -> [RowNumber: PropertySet]? {
    var visits = 0
    var reached = ends
    for relationship in hops.reversed() {
      var sources: [RowNumber: PropertySet] = [:]
      for (row, properties) in reached {
        try snapshot.forEachRow(linkedTo: row, by: relationship) { source in
          sources[source, default: PropertySet()].formUnion(properties)
          visits += 1
          return visitsMax.map { visits > $0 } == true ? .stop : .continue
        }
        if let visitsMax, visits > visitsMax { return nil }
      }
      reached = sources
    }
    return reached
  }

  /// The same, found from the other side: which of some rows they are.
  static func sources(
    of ends: [RowNumber: PropertySet], along hops: [Relationship], among rows: some Sequence<RowNumber>,
    in snapshot: RecordSnapshot
  ) throws -> [RowNumber: PropertySet] {
    var result: [RowNumber: PropertySet] = [:]
    for row in rows {
      var reached: Set<RowNumber> = [row]
      for relationship in hops {
        var next: Set<RowNumber> = []
        for row in reached {
          try snapshot.forEachRow(at: relationship, of: row) { end in
            next.insert(end)
            return .continue
          }
        }
        reached = next
      }
      for end in reached {
        if let properties = ends[end] { result[row, default: PropertySet()].formUnion(properties) }
      }
    }
    return result
  }
}
