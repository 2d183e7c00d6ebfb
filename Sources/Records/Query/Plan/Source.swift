/// Where the rows are looked for that a query's conditions are then asked of.
indirect enum Source: Sendable {
  /// All rows of the entity.
  case everything
  /// These rows, in ascending order.
  case rows([RowNumber])
  case index(IndexAccess)
  case links(LinkAccess)
  /// The rows of several sources together.
  case union([Source])

  /// Whether its rows come in ascending order, each once.
  var isByRow: Bool {
    switch self {
    case .everything, .rows: true
    case .index(let access): access.isByRow
    case .links, .union: false
    }
  }

  /// Whether a row may come more than once.
  var hasRepetitions: Bool {
    switch self {
    case .everything, .rows, .index: false
    case .links(let access): access.hasRepetitions
    case .union: true
    }
  }
}

/// The rows that are linked to the result of another query.
struct LinkAccess: Sendable {
  /// Finds the rows where the links start.
  let origin: QueryPlan
  /// Leads from there to the rows.
  let direction: LinkDirection
  /// Whether several rows of the origin may lead to one row.
  let hasRepetitions: Bool
}
