import Records

/// What every row of a board contains, and where each identity and each value of an index leads, as text.
struct BoardTruth: Equatable {
  /// By entity and row number.
  private(set) var rows: [String: String] = [:]
  /// By entity and identity.
  private(set) var identities: [String: String] = [:]
  /// Rows by entity, attribute and value, and in the order of an index by entity and "by" the attribute.
  private(set) var lists: [String: String] = [:]

  /// Reads a sound store.
  init(_ store: RecordStore) throws {
    try store.read { snapshot in
      for entity in snapshot.catalog.entities {
        try snapshot.forEachRecord(of: entity) { row, record in
          rows[Self.name(entity, row)] = try Self.text(of: record, row, entity, snapshot)
          if let identity = entity.identity {
            identities["\(entity.name) \(record.value(identity.field).text)"] = "\(row.rawValue)"
          }
          return .continue
        }
        for index in entity.indexes { try addLists(of: index, entity, snapshot) }
      }
    }
  }

  private mutating func addLists(of index: Index, _ entity: Entity, _ snapshot: RecordSnapshot) throws {
    // The indexes of a board have one attribute each.
    let attribute = index.attributes[0]
    var rows: [String: [RowNumber]] = [:]
    try snapshot.forEachRecord(of: entity) { row, record in
      rows["\(entity.name) \(attribute.name) \(record.value(attribute.field).text)", default: []].append(row)
      return .continue
    }
    try snapshot.forEachRecord(of: entity, inOrderOf: index) { row, _ in
      rows["\(entity.name) by \(attribute.name)", default: []].append(row)
      return .continue
    }
    for (name, rows) in rows { lists[name] = Self.text(of: rows) }
  }

  /// Rows as text, which lacks some as the text of a record lacks links.
  static func text(of rows: [RowNumber]) -> String {
    "links|" + rows.map { "\($0.rawValue)" }.joined(separator: ",")
  }

  static func name(_ entity: Entity, _ row: RowNumber) -> String { "\(entity.name) \(row.rawValue)" }

  /// The values of a record and the other ends of its links.
  static func text(
    of record: RecordView, _ row: RowNumber, _ entity: Entity, _ snapshot: RecordSnapshot
  ) throws -> String {
    let values = try entity.attributes.map { attribute in
      brief(try snapshot.value(attribute.field, of: record, row: row, entity).text)
    }
    let links = try entity.relationships.map { relationship in
      let rows =
        relationship.isToMany
        ? try snapshot.members(of: relationship, owner: row)
        : try snapshot.destination(of: relationship, row: row).map { [$0] } ?? []
      return rows.map { "\($0.rawValue)" }.joined(separator: ",")
    }
    return (values + ["links"] + links).joined(separator: "|")
  }

  /// A long text by its length and its hash.
  private static func brief(_ text: String) -> String {
    text.utf8.count < 1000 ? text : "\(text.utf8.count) bytes, \(EntryHash.hash(of: text))"
  }

  /// Whether what was found has the values that were expected, but not all of the links.
  static func lacksLinks(_ found: String, _ expected: String) -> Bool {
    let (left, right) = (
      found.split(separator: "|", omittingEmptySubsequences: false),
      expected.split(separator: "|", omittingEmptySubsequences: false)
    )
    guard let start = left.firstIndex(of: "links"), left.count == right.count, left[...start] == right[...start] else {
      return false
    }
    return zip(left[start...], right[start...]).allSatisfy { found, expected in
      Set(found.split(separator: ",")).isSubset(of: expected.split(separator: ","))
    }
  }

  // MARK: - As lines

  var text: String {
    [("row", rows), ("identity", identities), ("list", lists)].map { kind, texts in
      texts.map { "\(kind)\t\($0.key)\t\($0.value)\n" }.joined()
    }.joined()
  }

  init(text: String) throws {
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      switch (parts.first, parts.count) {
      case ("row", 3): rows[parts[1]] = parts[2]
      case ("identity", 3): identities[parts[1]] = parts[2]
      case ("list", 3): lists[parts[1]] = parts[2]
      default: throw HarnessError("'\(line)' is no row, no identity and no list")
      }
    }
  }
}
