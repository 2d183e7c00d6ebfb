extension QueryPlan: CustomStringConvertible {
  /// The plan in a few lines: where the rows are looked for, what else is asked of them, how they are ordered and how many are
  /// returned.
  package var description: String {
    var lines = [
      "\(query.entity.name): \(estimate.isCounted ? "" : "about ")\(estimate.count == 1 ? "1 row" : "\(estimate.count) rows") "
        + description(of: source, covered: covered)
    ]
    if !rest.isEmpty { lines.append("filter: \(Condition.all(rest).text(in: query.entity, catalog))") }
    if !query.excluding.isEmpty { lines.append("without \(query.excluding.count) rows that are excluded") }
    if let order = orderDescription { lines.append("order: \(order)") }
    if query.offset > 0 { lines.append("offset: \(query.offset)") }
    if let limit = query.limit { lines.append("limit: \(limit)") }
    return lines.joined(separator: "\n")
  }

  private func description(of source: Source, covered: [Condition]) -> String {
    switch source {
    case .everything: return query.scanned == nil ? "by a scan of all" : "by a scan of a part"
    case .rows(let rows): return rows.isEmpty ? "because the condition is never true" : "by number"
    case .index(let access):
      let name =
        "the \(access.index.isUnique ? "unique " : "")index on \(access.index.attributes.map(\.name).joined(separator: ", "))"
      let isWhole = access.intervals == [.all]
      return isWhole ? "by all of \(name)" : "by \(name)" + list(covered)
    case .links(let access):
      let origin = access.origin.description.split(separator: "\n").joined(separator: "; ")
      return "by the links of \(access.direction.name)" + list(covered) + "\n  from \(origin)"
    case .union(let sources):
      return "by \(sources.count) sources:" + sources.map { "\n  " + description(of: $0, covered: []) }.joined()
    }
  }

  private func list(_ covered: [Condition]) -> String {
    covered.isEmpty ? "" : ": " + Condition.all(covered).text(in: query.entity, catalog)
  }

  private var orderDescription: String? {
    switch ordering {
    case .byRow: return nil
    case .byIndex(let order):
      let ties = text(of: query.order[order.termCount...])
      return text(of: query.order[..<order.termCount]) + ", as the index has it"
        + (order.isReversed ? ", backwards" : "")
        + (ties.isEmpty ? "" : "; rows that agree by \(ties), sorted")
    case .sorted:
      return text(of: query.order[...]) + ", sorted" + (query.window.end.map { ", keeping the first \($0)" } ?? "")
    }
  }

  private func text(of order: ArraySlice<OrderTerm>) -> String {
    order.map { term in
      term.operand.text(in: query.entity, catalog) + (term.isAscending ? "" : " descending")
        + (term.textOrder == .lexical ? "" : " [localized standard]")
    }.joined(separator: ", ")
  }
}
