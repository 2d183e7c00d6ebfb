import SyncEngine

/// The differences between two contents, by the identities of rows, in the forms of `swiftsync diff`.
///
/// It has the rows of one entity of the first content in memory.
struct Comparison {
  private enum Change: String {
    case removed, added, updated

    /// What a line begins with.
    var sign: String {
      switch self {
      case .removed: "-"
      case .added: "+"
      case .updated: "~"
      }
    }
  }

  let first: any ComparedContent
  let second: any ComparedContent
  let isText: Bool
  let output: StandardOutput

  /// Writes all differences.
  ///
  /// - Returns: How many rows differ.
  func write() throws -> Int {
    let names = Set(first.entityNames).union(second.entityNames).sorted { $0.isBefore($1) }
    return try names.reduce(0) { try $0 + compare($1) }
  }

  private func compare(_ entity: String) throws -> Int {
    Supervisor.noteActivity("comparing \(entity)")
    let before = try first.rows(of: entity)
    let after = try second.rows(of: entity)
    let known = Dictionary(before.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    let keys = Set(after.map(\.key))
    var count = 0
    for row in before where !keys.contains(row.key) {
      count += 1
      try write(.removed, entity, row.key)
    }
    for row in after {
      try Interruption.check()
      guard let old = known[row.key] else {
        count += 1
        try write(.added, entity, row.key)
        continue
      }
      let changed = Set(old.members.keys).union(row.members.keys).sorted { $0.isBefore($1) }.filter {
        old.members[$0] != row.members[$0]
      }
      if changed.isEmpty { continue }
      count += 1
      try write(.updated, entity, row.key, changed.map { ($0, old.members[$0], row.members[$0]) })
    }
    return count
  }

  private func write(
    _ change: Change, _ entity: String, _ key: String, _ properties: [(name: String, old: String?, new: String?)] = []
  ) throws {
    guard isText else { return try writeLine(change, entity, key, properties) }
    try output.writeLine("\(change.sign) \(entity) \(key)")
    for property in properties {
      try output.writeLine("    \(property.name): \(property.old ?? "-") -> \(property.new ?? "-")")
    }
  }

  private func writeLine(
    _ change: Change, _ entity: String, _ key: String, _ properties: [(name: String, old: String?, new: String?)]
  ) throws {
    var json = JSONWriter()
    json.beginObject()
    json.writeMember("change", change.rawValue)
    json.writeMember("entity", entity)
    json.writeMember("key", key)
    if !properties.isEmpty {
      json.writeKey("properties")
      json.beginObject()
      for property in properties {
        json.writeKey(property.name)
        json.beginArray()
        // What one side does not have at all is null there, and so is null: an attribute more makes no row another.
        for text in [property.old, property.new] { try json.writeJSON(text ?? "null") }
        json.endArray()
      }
      json.endObject()
    }
    json.endObject()
    json.endLine()
    try json.drain { try output.write($0) }
  }
}

extension JSONWriter {
  /// A value that is JSON already.
  fileprivate mutating func writeJSON(_ text: String) throws {
    try PayloadDocument(json: Array(text.utf8)).read { write($0) }
  }
}
