import TestSupport

@testable import SyncEngine

/// A payload row of the random syncs, and the JSON that it is written as.
struct SampleRow {
  enum Link {
    case absent, null
    /// Identities; for a to-one relationship one.
    case identities([Int])
    /// Nested tags.
    case objects([SampleTag])
  }

  struct SampleTag {
    var id: Int
    /// Nil for an absent key.
    var name: String?
  }

  var id: Int?
  /// Nil for an absent key, a wrapped nil for null.
  var name: String??
  var parent = Link.absent
  var tag = Link.absent
  var tags = Link.absent

  static func random(using random: inout SplitMix64) -> SampleRow {
    func id() -> Int { Int.random(in: 1...9, using: &random) }
    func names() -> String? {
      Bool.random(using: &random) ? ["a", "b", "c"][Int.random(in: 0..<3, using: &random)] : nil
    }
    func objects() -> [SampleTag] {
      (0..<Int.random(in: 1...3, using: &random)).map { _ in SampleTag(id: id(), name: names()) }
    }
    var row = SampleRow(id: Int.random(in: 0..<12, using: &random) == 0 ? nil : id())
    switch Int.random(in: 0..<4, using: &random) {
    case 0: row.name = .some(nil)
    case 1, 2: row.name = .some(names())
    default: break
    }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: row.parent = .null
    case 1, 2: row.parent = .identities([id()])
    default: break
    }
    switch Int.random(in: 0..<5, using: &random) {
    case 0: row.tag = .null
    case 1, 2: row.tag = .identities([id()])
    case 3: row.tag = .objects([SampleTag(id: id(), name: names())])
    default: break
    }
    switch Int.random(in: 0..<5, using: &random) {
    case 0: row.tags = .null
    case 1, 2: row.tags = .identities((0..<Int.random(in: 0...4, using: &random)).map { _ in id() })
    case 3: row.tags = .objects(objects())
    default: break
    }
    return row
  }

  var json: String {
    func text(_ name: String?) -> String { name.map { "\"\($0)\"" } ?? "null" }
    func object(_ tag: SampleTag) -> String {
      "{\"id\":\(tag.id)\(tag.name.map { ",\"name\":\"\($0)\"" } ?? "")}"
    }
    var members: [String] = []
    if let id { members.append("\"id\":\(id)") }
    if let name { members.append("\"name\":\(text(name))") }
    switch parent {
    case .null: members.append("\"parent_id\":null")
    case .identities(let ids): members.append("\"parent_id\":\(ids[0])")
    default: break
    }
    switch tag {
    case .absent: break
    case .null: members.append("\"tag_id\":null")
    case .identities(let ids): members.append("\"tag_id\":\(ids[0])")
    case .objects(let tags): members.append("\"tag\":\(object(tags[0]))")
    }
    switch tags {
    case .absent: break
    case .null: members.append("\"tags\":null")
    case .identities(let ids): members.append("\"tag_ids\":[\(ids.map(String.init).joined(separator: ","))]")
    case .objects(let tags): members.append("\"tags\":[\(tags.map(object).joined(separator: ","))]")
    }
    return "{" + members.joined(separator: ",") + "}"
  }
}

/// The rules of syncing in their plainest form: dictionaries, one row after another.
struct ReferenceModel {
  struct Node: Equatable {
    var name: String?
    var parent: Int?
    var tag: Int?
    var tags: Set<Int> = []
  }

  var nodes: [Int: Node] = [:]
  var tags: [Int: String?] = [:]

  mutating func sync(_ rows: [SampleRow], isCollection: Bool, operations: SyncRelationshipOperations) {
    let listed = Set(rows.compactMap(\.id))
    let known = listed.union(nodes.keys)
    let deletes = operations.contains(.delete)
    let links = operations.contains(.insert) || operations.contains(.update)

    // Nested tags first: which rows there are does not depend on the order of the payload.
    var seen = Set(nodes.keys)
    var processed: [Bool] = []
    for row in rows {
      guard let id = row.id else {
        processed.append(false)
        continue
      }
      let isNew = seen.insert(id).inserted
      processed.append(isNew ? operations.contains(.insert) : operations.contains(.update) || deletes)
      guard processed.last == true else { continue }
      for link in [row.tag, row.tags] {
        guard case .objects(let objects) = link else { continue }
        for object in objects {
          if tags[object.id] == nil {
            if operations.contains(.insert) { tags[object.id] = .some(object.name) }
          } else if operations.contains(.update), let name = object.name {
            tags[object.id] = .some(name)
          }
        }
      }
    }

    for (row, isProcessed) in zip(rows, processed) {
      guard let id = row.id else { continue }
      var node = nodes[id] ?? Node()
      if let name = row.name { node.name = name }
      if isProcessed {
        apply(row.parent, to: &node.parent, known: known, deletes: deletes, links: links)
        apply(row.tag, to: &node.tag, known: Set(tags.keys), deletes: deletes, links: links)
        if let wanted = wanted(row.tags) {
          var next = deletes ? node.tags.intersection(wanted) : node.tags
          if links { next.formUnion(wanted) }
          node.tags = next
        }
      }
      nodes[id] = node
    }
    guard isCollection else { return }
    nodes = nodes.filter { listed.contains($0.key) }
    for id in nodes.keys where nodes[id]?.parent.map({ nodes[$0] == nil }) == true { nodes[id]?.parent = nil }
  }

  private func apply(_ link: SampleRow.Link, to current: inout Int?, known: Set<Int>, deletes: Bool, links: Bool) {
    switch link {
    case .absent: break
    case .null: if deletes { current = nil }
    case .identities(let ids): if links, known.contains(ids[0]) { current = ids[0] }
    case .objects(let tags): if links, known.contains(tags[0].id) { current = tags[0].id }
    }
  }

  private func wanted(_ link: SampleRow.Link) -> Set<Int>? {
    switch link {
    case .absent: nil
    case .null: []
    case .identities(let ids): Set(ids.filter { tags[$0] != nil })
    case .objects(let objects): Set(objects.map(\.id).filter { tags[$0] != nil })
    }
  }

  var nodeRows: [String] {
    nodes.map { id, node in
      var text = "\(id):"
      if let name = node.name { text += " name=\(name)" }
      if let parent = node.parent { text += " parent=\(parent)" }
      if let tag = node.tag { text += " tag=\(tag)" }
      if !node.tags.isEmpty { text += " tags=\(node.tags.sorted().map(String.init).joined(separator: ","))" }
      return text
    }.sorted()
  }

  var tagRows: [String] {
    tags.map { id, name in "\(id):" + (name.map { " name=\($0)" } ?? "") }.sorted()
  }
}
