import DemoWire
import SwiftSync

// What GET gives: the rows as JSON values. What is deleted is not listed.
extension Session {
  func projectRows() throws -> [[String: Any]] {
    let live = FetchDescriptor<StoredProject>(
      predicate: #Predicate { $0.deletedAt == nil }, sortBy: [SortDescriptor(\.id)])
    return try context.fetch(live).map(row)
  }

  func userRows() throws -> [[String: Any]] {
    try context.fetch(FetchDescriptor<StoredUser>(sortBy: [SortDescriptor(\.id)])).map { user in
      [
        "id": user.id, "display_name": user.displayName, "created_at": text(user.createdAt),
        "updated_at": text(user.updatedAt),
      ]
    }
  }

  func taskStateRows() -> [[String: Any]] {
    let epoch = text(0)
    return TaskState.allCases.enumerated().map { order, state in
      ["id": state.rawValue, "label": state.label, "sort_order": order, "created_at": epoch, "updated_at": epoch]
    }
  }

  /// All tasks in the order in which they came, or those of one project.
  func taskRows(of project: StoredProject? = nil) throws -> [[String: Any]] {
    var live = FetchDescriptor<StoredTask>(
      predicate: #Predicate { $0.deletedAt == nil }, sortBy: [SortDescriptor(\.number)])
    if let id = project?.id { live.predicate = #Predicate { $0.deletedAt == nil && $0.project?.id == id } }
    return try context.fetch(live).map(row)
  }

  func row(of project: StoredProject) -> [String: Any] {
    [
      "id": project.id, "name": project.name, "task_count": project.tasks.count { $0.deletedAt == nil },
      "created_at": text(project.createdAt), "updated_at": text(project.updatedAt),
    ]
  }

  func row(of task: StoredTask) -> [String: Any] {
    [
      "id": task.id, "project_id": nullable(task.project?.id), "author_id": nullable(task.author?.id),
      "assignee_id": nullable(task.assignee?.id), "reviewer_ids": task.reviewers.map(\.id).sorted(),
      "watcher_ids": task.watchers.map(\.id).sorted(), "title": task.title,
      "description": nullable(task.descriptionText),
      "state": ["id": task.state.rawValue, "label": task.state.label],
      "items": task.items.sorted { ($0.position, $0.id) < ($1.position, $1.id) }.map(row),
      "created_at": text(task.createdAt), "updated_at": text(task.updatedAt),
    ]
  }

  private func row(of item: StoredItem) -> [String: Any] {
    [
      "id": item.id, "task_id": nullable(item.task?.id), "title": item.title, "position": item.position,
      "created_at": text(item.createdAt), "updated_at": text(item.updatedAt),
    ]
  }

  private func text(_ milliseconds: Int) -> String { Timestamp(milliseconds: milliseconds).text }

  private func nullable(_ text: String?) -> Any { text ?? NSNull() }
}
