import DemoWire
import SwiftSync

/// What a client wants a task to be. What it doesn't mention stays as it is.
struct TaskDraft {
  private let title: String?
  private let description: String??
  private let state: TaskState?
  private let projectID: String?
  private let authorID: String?
  private let assigneeID: String??
  private let reviewerIDs: [String]?
  private let watcherIDs: [String]?
  private let items: [ItemDraft]?
  private let createdAt: Timestamp?

  init(_ fields: Fields) throws {
    title = try fields.title("title")
    description = try fields.nullableText("description")
    state = try fields.state()
    projectID = try fields.identity("project_id")
    authorID = try fields.identity("author_id")
    assigneeID = try fields.nullableText("assignee_id")
    reviewerIDs = try fields.texts("reviewer_ids")
    watcherIDs = try fields.texts("watcher_ids")
    items = try fields.objects("items")?.enumerated().map { try ItemDraft($1, index: $0) }
    createdAt = try fields.time("created_at")
  }

  /// Throws for what a task can't be made without.
  private func requireAll() throws {
    let values: [(String, Any?)] = [
      ("title", title), ("state", state), ("project_id", projectID), ("author_id", authorID),
    ]
    for (key, value) in values where value == nil { throw BackendError.invalid("\(key) is missing.") }
  }

  /// Makes a task, or changes one: all that is wrong is found before anything is changed.
  @discardableResult
  func apply(to known: StoredTask?, id: String, at time: Timestamp, in session: Session) throws -> StoredTask {
    // A task that the server knows by its deletion alone has no values yet.
    if known?.title.isEmpty ?? true { try requireAll() }
    let project = try projectID.map { try session.project($0, under: "project_id") }
    if project == nil, let id = known?.project?.id { _ = try session.project(id, under: "project_id") }
    let author = try authorID.map { try session.user($0, under: "author_id") }
    let assignee = try assigneeID.map { id in try id.map { try session.user($0, under: "assignee_id") } }
    let reviewers = try reviewerIDs.map { try session.users($0, under: "reviewer_ids") }
    let watchers = try watcherIDs.map { try session.users($0, under: "watcher_ids") }
    try items.map { try ItemDraft.check($0, of: known, in: session) }

    let task = try known ?? session.newTask(id: id, at: createdAt ?? time)
    if let title { task.title = title }
    if let description { task.descriptionText = description }
    if let state { task.state = state }
    if let project { task.project = project }
    if let author { task.author = author }
    if let assignee { task.assignee = assignee }
    if let reviewers { task.reviewers = reviewers }
    if let watchers { task.watchers = watchers }
    if let items { ItemDraft.reconcile(items, of: task, at: time, in: session) }
    task.deletedAt = nil
    task.updatedAt = time.milliseconds
    return task
  }
}

extension Session {
  /// A task behind all others, without values.
  func newTask(id: String, at time: Timestamp) throws -> StoredTask {
    var last = FetchDescriptor<StoredTask>(sortBy: [SortDescriptor(\.number, order: .reverse)])
    last.fetchLimit = 1
    let number = try context.fetch(last).first?.number ?? 0
    let task = StoredTask(id: id, number: number + 1, createdAt: time.milliseconds)
    context.insert(task)
    return task
  }
}
