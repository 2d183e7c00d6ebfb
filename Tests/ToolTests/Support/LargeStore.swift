import FoundationEssentials
import Records
import Testing

/// A store with enough rows that its tables have trees of more than one page, written in several transactions, so that
/// old versions of pages lie about in the file.
enum LargeStore {
  static let taskCount = 400

  static func make(at path: String) throws {
    let store = try RecordStore(at: path, schema: .tracker)
    defer { store.close() }
    try fill(store, order: Array(0..<taskCount))
    for turn in 0..<3 {
      _ = try store.write { transaction in
        for number in stride(from: turn, to: taskCount, by: 7) { try retitle(number, turn, transaction) }
      }
    }
  }

  /// Fills a store with the same rows and links in the given order of tasks.
  static func fill(_ store: RecordStore, order: [Int]) throws {
    _ = try store.write { transaction in
      let projects = try (0..<20).map { try transaction.insert("Project", ["id": .string("project \($0)")]) }
      let users = try (0..<40).map {
        try transaction.insert("User", ["id": .int(Int64($0)), "name": .string("User \($0)")])
      }
      var tasks: [Int: RowNumber] = [:]
      for number in order {
        let task = try transaction.insert("Task", values(of: number), ["project": projects[number % 20]])
        tasks[number] = task
        try transaction.setMembers(
          "reviewers", of: "Task", task, to: [users[number % 40], users[(number * 7 + 1) % 40]])
      }
      // The order of members is content too.
      for (number, project) in projects.enumerated() {
        let members = stride(from: number, to: taskCount, by: 20).compactMap { tasks[$0] }
        try transaction.setMembers("tasks", of: "Project", project, to: members.reversed())
      }
      for user in users {
        let reviews = try #require(transaction.catalog.entity(named: "User")?.relationship(named: "reviews"))
        let members = try transaction.members(of: reviews, owner: user)
        let numbers = Dictionary(uniqueKeysWithValues: tasks.map { ($0.value, $0.key) })
        let sorted = members.sorted { (numbers[$0] ?? 0) < (numbers[$1] ?? 0) }
        _ = try transaction.setMembers(of: reviews, owner: user, to: sorted)
      }
    }
  }

  private static func values(of number: Int) -> [String: FieldValue] {
    [
      "id": .uuid(id(of: number)),
      "title": .string("Task \(number)"),
      "isDone": .bool(number % 3 == 0),
      "priority": .int(Int64(number % 5)),
      "due": .date(Date(timeIntervalSinceReferenceDate: Double(number) * 86_400)),
      "settings": .composite(Data("[\(number)]".utf8)),
    ]
  }

  private static func id(of number: Int) -> UUID {
    let mixed = UInt64(number) &* 0x9E37_79B9_7F4A_7C15
    return withUnsafeBytes(of: (mixed.bigEndian, UInt64(number).bigEndian)) {
      UUID(uuid: $0.loadUnaligned(as: uuid_t.self))
    }
  }

  private static func retitle(_ number: Int, _ turn: Int, _ transaction: RecordTransaction) throws {
    let entity = try #require(transaction.catalog.entity(named: "Task"))
    let title = try #require(entity.attribute(named: "title"))
    let row = try transaction.row("Task", .uuid(id(of: number)))
    var builder = RecordBuilder(entity.layout)
    _ = try transaction.withRecord(row, of: entity) { builder.load($0) }
    builder.setString(title.field, "Task \(number), edition \(turn)")
    _ = try transaction.update(row, of: entity, with: &builder)
  }
}
