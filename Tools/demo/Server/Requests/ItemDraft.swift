import DemoWire
import SwiftSync

/// What a client wants an item of a task's checklist to be. A list of them is the whole checklist.
struct ItemDraft {
  private let id: String
  private let title: String?
  private let position: Int
  private let createdAt: Timestamp?

  /// Reads an item. Its place in the list is its position if it doesn't say one.
  init(_ fields: Fields, index: Int) throws {
    guard let id = try fields.identity("id") else { throw BackendError.invalid("An item's id is missing.") }
    self.id = id
    title = try fields.title("title")
    position = try fields.number("position") ?? index
    createdAt = try fields.time("created_at")
  }

  /// Throws unless the items can be those of a task.
  static func check(_ drafts: [ItemDraft], of task: StoredTask?, in session: Session) throws {
    guard Set(drafts.map(\.id)).count == drafts.count else {
      throw BackendError.invalid("The items have an id in common.")
    }
    let known = Set(task?.items.map(\.id) ?? [])
    for draft in drafts where !known.contains(draft.id) {
      if draft.title == nil { throw BackendError.invalid("The title of the new item \(draft.id) is missing.") }
      if try session.context.model(StoredItem.self, id: draft.id) != nil {
        throw BackendError.duplicate(kind: "item of another task", id: draft.id)
      }
    }
  }

  /// Makes the items of a task those of a list. Known ones stay the same rows.
  static func reconcile(_ drafts: [ItemDraft], of task: StoredTask, at time: Timestamp, in session: Session) {
    let known = Dictionary(task.items.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let kept = Set(drafts.map(\.id))
    for item in task.items where !kept.contains(item.id) { session.context.delete(item) }
    for draft in drafts { draft.apply(to: known[draft.id], of: task, at: time, in: session) }
  }

  private func apply(to known: StoredItem?, of task: StoredTask, at time: Timestamp, in session: Session) {
    guard let known else {
      let created = createdAt ?? time
      session.context.insert(
        StoredItem(id: id, title: title ?? "", position: position, createdAt: created.milliseconds, task: task))
      return
    }
    guard known.title != title ?? known.title || known.position != position else { return }
    if let title { known.title = title }
    known.position = position
    known.updatedAt = time.milliseconds
  }
}
