import Foundation
import Records
import SyncEngine

/// A row as text, for comparisons.
struct ComparedRow {
  /// Its identity as JSON, or its number where it has none of its own.
  let key: String
  /// Its properties as JSON, by name.
  let members: [String: String]
}

/// What a comparison compares: the content of a store, or of a snapshot that was written by `swiftsync export`.
protocol ComparedContent {
  var entityNames: [String] { get }

  /// The rows of an entity, in their order. They are in memory together.
  func rows(of entity: String) throws -> [ComparedRow]
}

/// The content of a store at one moment.
struct StoreContent: ComparedContent {
  private let snapshot: RecordSnapshot

  init(_ snapshot: RecordSnapshot) {
    self.snapshot = snapshot
  }

  var entityNames: [String] { snapshot.catalog.entities.map(\.name) }

  func rows(of entity: String) throws -> [ComparedRow] {
    guard let entity = snapshot.catalog.entity(named: entity) else { return [] }
    var rows: [ComparedRow] = []
    // A reader for each entity: it remembers what it has looked at, and a comparison looks at each once.
    let reader = StoreReader(snapshot: snapshot)
    try reader.forEachRow(of: entity, properties: entity.properties, order: .identity) { row in
      var members: [String: String] = [:]
      try row.forEachProperty { property, value in
        var json = JSONWriter()
        try json.write(value)
        members[property.name] = String(decoding: json.bytes, as: UTF8.self)
      }
      rows.append(ComparedRow(key: try row.referenceText, members: members))
    }
    return rows
  }
}

/// The content of a snapshot file.
struct SnapshotContent: ComparedContent {
  private let document: PayloadDocument
  private let path: String
  let entityNames: [String]

  /// - Throws: `UnreadableSnapshot`.
  init(_ path: String) throws {
    self.path = path
    document = try PayloadDocument(snapshotAt: path)
    let names: [String]? = try document.read { root in
      guard root.member("format")?.string == SnapshotDocument.formatName, let entities = root.member("entities") else {
        return nil
      }
      return try SnapshotValue.elements(entities, at: "/entities").compactMap { $0.member("name")?.string }
    }
    guard let names else { throw UnreadableSnapshot(path: path, reason: "it is no snapshot of swiftsync export") }
    entityNames = names
  }

  func rows(of entity: String) throws -> [ComparedRow] {
    try document.read { root in
      let found = root.member("entities")?.elements.first { $0.member("name")?.string == entity }
      let description = root.member("schema")?.elements.first { $0.member("name")?.string == entity }
      let identity = description?.member("identity")?.string
      guard let rows = found?.member("rows") else { return [] }
      return try SnapshotValue.elements(rows, at: "the rows of \(entity)").map { row in
        var members: [String: String] = [:]
        var key: String?
        for (name, value) in row.members {
          var json = JSONWriter()
          json.write(value)
          let text = String(decoding: json.bytes, as: UTF8.self)
          let name = name.string
          if name == "$row" { key = "row \(text)" } else { members[name] = text }
        }
        guard let key = key ?? identity.flatMap({ members[$0] }) else {
          throw UnreadableSnapshot(path: path, reason: "a row of \(entity) has neither an identity nor a $row")
        }
        return ComparedRow(key: key, members: members)
      }
    }
  }
}

extension PayloadDocument {
  /// Reads the file of a snapshot.
  ///
  /// - Throws: `UnreadableSnapshot`.
  init(snapshotAt path: String) throws {
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      throw UnreadableSnapshot(path: path, reason: (error as NSError).localizedDescription)
    }
    do {
      try self.init(json: data)
    } catch {
      throw UnreadableSnapshot(path: path, reason: "\(error)")
    }
  }
}

/// A file that was to be a snapshot.
struct UnreadableSnapshot: Error, Equatable, CustomStringConvertible {
  let path: String
  let reason: String

  var description: String { "'\(path)' can't be read as a snapshot: \(reason)" }
}

extension Row {
  fileprivate var referenceText: String {
    get throws {
      switch reference {
      case .row(let number): return "row \(number.rawValue)"
      case .identity(let value):
        var json = JSONWriter()
        try json.write(value)
        return String(decoding: json.bytes, as: UTF8.self)
      }
    }
  }
}
