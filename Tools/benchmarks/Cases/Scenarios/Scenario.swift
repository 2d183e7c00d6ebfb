import SwiftSync

/// One of the published scenarios: what is stored before, and what is timed.
///
/// `rows` is the tier: how many rows of the model that matters are stored.
struct Scenario: Sendable {
  let name: String
  /// What the newest published figures say for 10,000 rows, in a file, in milliseconds; nil where none is published.
  var published: Double?
  let seed: @Sendable (_ rows: Int, ModelContext) -> Void
  let work: @Sendable @MainActor (_ rows: Int, SyncContainer) async throws -> Void
}

extension Scenario {
  /// How many rows a parent has whose rows are synced.
  static func scope(_ rows: Int) -> Int { min(100, rows) }
  /// How many related rows a row names.
  private static let linksMax = 50

  static let all: [Scenario] = [
    Scenario(name: "global-batch-sync", published: 780, seed: people) { rows, container in
      let payload: [Any] = (1...rows).map { ["id": $0, "full_name": "Renamed \($0)"] as [String: Any] }
      try await container.sync(payload: payload, as: Person.self)
    },
    Scenario(name: "single-item-sync", published: 12.9, seed: people) { rows, container in
      try await container.sync(item: ["id": rows, "full_name": "Renamed"], as: Person.self)
    },
    Scenario(name: "parent-scoped-single-item-sync", seed: boards) { _, container in
      try await container.sync(
        item: ["id": 1, "title": "Renamed"], as: BoardTask.self, parent: board(in: container),
        relationship: \.project)
    },
    Scenario(name: "parent-scoped-batch-sync", published: 16.458, seed: boards) { rows, container in
      try await syncBoard(rows, container)
    },
    Scenario(
      name: "to-one-fk-resolution",
      seed: {
        people($0, $1); item($1)
      }
    ) { rows, container in
      try await container.sync(item: ["id": 1, "title": "Item", "assignee_id": rows], as: WorkItem.self)
    },
    Scenario(
      name: "to-many-fk-resolution, 50",
      seed: {
        tags($0, $1); item($1)
      }
    ) { rows, container in
      let ids = Array(1...min(linksMax, rows))
      try await container.sync(item: ["id": 1, "title": "Item", "tag_ids": ids], as: WorkItem.self)
    },
    Scenario(
      name: "to-many-nested-resolution, 50",
      seed: {
        reviewers($0, $1); item($1)
      }
    ) { rows, container in
      try await container.sync(
        item: ["id": 1, "title": "Item", "reviewers": renamedReviewers(min(linksMax, rows))], as: WorkItem.self)
    },
    Scenario(name: "mixed-session-workload", seed: session) { rows, container in
      try await container.sync(item: ["id": rows, "full_name": "Renamed"], as: Person.self)
      try await syncBoard(rows, container)
      let links = min(10, rows)
      try await container.sync(
        item: [
          "id": 1, "title": "Item", "assignee_id": rows, "tag_ids": Array(1...links),
          "reviewers": renamedReviewers(links),
        ], as: WorkItem.self)
    },
    Scenario(name: "demo-shaped-project-session", published: 112.34, seed: demo) { rows, container in
      let links = Array(1...min(10, rows))
      let payload: [Any] = (1...scope(rows)).map { id in
        [
          "id": id, "title": "Changed \(id)", "assignee_id": rows, "tag_ids": links, "watcher_ids": links,
        ] as [String: Any]
      }
      let board = try board(in: container)
      try await container.sync(payload: payload, as: SessionTask.self, parent: board, relationship: \.project)
      try await container.sync(
        item: [
          "id": 1, "title": "Detail", "assignee_id": rows, "tag_ids": links,
          "watcher_ids": Array((rows - links.count + 1)...rows),
        ], as: SessionTask.self)
      try await container.sync(item: ["id": rows, "full_name": "Renamed"], as: Person.self)
    },
  ]

  // MARK: What is stored before

  private static func people(_ rows: Int, _ context: ModelContext) {
    for id in 1...rows { context.insert(Person(id: id, fullName: "Person \(id)")) }
  }

  private static func tags(_ rows: Int, _ context: ModelContext) {
    for id in 1...rows { context.insert(Tag(id: id, name: "Tag \(id)")) }
  }

  private static func reviewers(_ rows: Int, _ context: ModelContext) {
    for id in 1...rows { context.insert(Reviewer(id: id, fullName: "Reviewer \(id)")) }
  }

  private static func item(_ context: ModelContext) {
    context.insert(WorkItem(id: 1, title: "Item"))
  }

  /// A board with as many tasks as a scope has, and the others on up to ten more, in turn.
  private static func boards(_ rows: Int, _ context: ModelContext) {
    let scope = scope(rows)
    let boards = makeBoards(others: max(1, min(10, rows - scope)), context)
    for id in 1...rows {
      let board = id <= scope ? boards[0] : boards[1 + id % (boards.count - 1)]
      context.insert(BoardTask(id: id, title: "Task \(id)", project: board))
    }
  }

  private static func session(_ rows: Int, _ context: ModelContext) {
    people(rows, context)
    tags(rows, context)
    reviewers(rows, context)
    boards(rows, context)
    item(context)
  }

  private static func demo(_ rows: Int, _ context: ModelContext) {
    people(rows, context)
    tags(rows, context)
    let scope = scope(rows)
    let boards = makeBoards(others: 8, context)
    for id in 1...rows {
      let board = id <= scope ? boards[0] : boards[1 + id % (boards.count - 1)]
      context.insert(SessionTask(id: id, title: "Task \(id)", project: board))
    }
  }

  private static func makeBoards(others: Int, _ context: ModelContext) -> [Board] {
    let boards = (1...(1 + others)).map { Board(id: $0, name: "Project \($0)") }
    for board in boards { context.insert(board) }
    return boards
  }

  // MARK: What is synced

  @MainActor private static func board(in container: SyncContainer) throws -> Board {
    guard let board = try container.mainContext.model(Board.self, id: 1) else { throw ScenarioError.noBoard }
    return board
  }

  @MainActor private static func syncBoard(_ rows: Int, _ container: SyncContainer) async throws {
    let payload: [Any] = (1...scope(rows)).map { ["id": $0, "title": "Renamed \($0)"] as [String: Any] }
    try await container.sync(
      payload: payload, as: BoardTask.self, parent: board(in: container), relationship: \.project)
  }

  private static func renamedReviewers(_ count: Int) -> [[String: Any]] {
    (1...count).map { ["id": $0, "full_name": "Renamed \($0)"] }
  }
}

enum ScenarioError: Error, CustomStringConvertible {
  case noBoard
  case pending(Int)

  var description: String {
    switch self {
    case .noBoard: "The scenario's project is not stored."
    case .pending(let count): "After a pull \(count) rows are to be pushed."
    }
  }
}
