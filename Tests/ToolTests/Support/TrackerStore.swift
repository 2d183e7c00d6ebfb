import FoundationEssentials
import Records
import Testing

/// Writes the rows of tests.
extension RecordTransaction {
  @discardableResult
  func insert(_ entity: String, _ values: [String: FieldValue], _ links: [String: RowNumber] = [:]) throws -> RowNumber
  {
    let entity = try #require(catalog.entity(named: entity))
    var builder = RecordBuilder(entity.layout)
    for (name, value) in values {
      let attribute = try #require(entity.attribute(named: name))
      let isSet = builder.set(attribute.field, value)
      try #require(isSet, "\(entity.name).\(name) cannot be \(value).")
    }
    for (name, row) in links {
      builder.setRow(try #require(entity.relationship(named: name)?.field), row)
    }
    return try insert(&builder, into: entity)
  }

  func setMembers(_ relationship: String, of entity: String, _ owner: RowNumber, to members: [RowNumber]) throws {
    let relationship = try #require(catalog.entity(named: entity)?.relationship(named: relationship))
    _ = try setMembers(of: relationship, owner: owner, to: members)
  }

  func row(_ entity: String, _ identity: FieldValue) throws -> RowNumber {
    let index = try #require(catalog.entity(named: entity)?.identityIndex)
    return try #require(try firstRow(where: index, equals: [identity]))
  }
}

/// A small store of the tracker's schema with a value of every kind.
enum TrackerStore {
  static let tasks = [
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 1)),
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 2)),
  ]

  static func make(at path: String) throws {
    let store = try RecordStore(at: path, schema: .tracker)
    defer { store.close() }
    _ = try store.write { try fill($0) }
  }

  private static func fill(_ transaction: RecordTransaction) throws {
    let site = try transaction.insert("Project", ["id": .string("site"), "title": .string("Web \"site\"\n")])
    let app = try transaction.insert("Project", ["id": .string("app")])
    let users = try [(7, "Ada"), (-3, "Grace 👩‍💻"), (12, "Žofie")].map {
      try transaction.insert("User", ["id": .int($0.0), "name": .string($0.1)])
    }
    let labels = try ["bug", "bug", nil, "idea"].map {
      try transaction.insert("Label", ["id": $0.map(FieldValue.string) ?? .null])
    }
    let second = try transaction.insert(
      "Task", ["id": .uuid(tasks[1]), "title": .string("Second"), "isDone": .bool(false)], ["project": site])
    let first = try transaction.insert("Task", everyValue, ["project": site, "parent": second])
    try transaction.setMembers("reviewers", of: "Task", first, to: [users[2], users[0]])
    try transaction.setMembers("reviewers", of: "Task", second, to: [users[0]])
    try transaction.setMembers("watchers", of: "Task", second, to: [users[1]])
    try transaction.setMembers("labels", of: "Task", first, to: [labels[3], labels[0], labels[2]])
    try transaction.setMembers("tasks", of: "Project", site, to: [first, second])
    let note = try transaction.insert("Note", ["text": .string("It is \u{1b}[31mred\u{9b}.")], ["task": first])
    try transaction.insert("Note", ["text": .string("")], ["replyTo": note])
    _ = try transaction.delete(app, of: #require(transaction.catalog.entity(named: "Project")))
  }

  private static var everyValue: [String: FieldValue] {
    [
      "id": .uuid(tasks[0]),
      "title": .string("First"),
      "isDone": .bool(true),
      "priority": .int(-128),
      "views": .uint(.max),
      "ratio": .float(0.1),
      "estimate": .double(1e21),
      "cost": .decimal(Decimal(string: "12345678901234567890.123456789") ?? 0),
      "due": .date(Date(timeIntervalSinceReferenceDate: 721_699_200.1234567)),
      "link": .url("https://example.com/a?b=c#d"),
      "thumbnail": .data(Data([0, 255, 16])),
      "settings": .composite(Data(#"{"z": [1, 2.50], "a": {"ü": null}}"#.utf8)),
    ]
  }
}
