import DemoWire
import SwiftSync

// Uploads of what clients did offline: docs/upload-endpoint.md.
extension Session {
  private static let operationsMax = 500
  /// A clock that is further ahead than this would win over everybody else's changes for as long.
  private static let clockLeadMilliseconds = 24 * 3_600_000

  /// Carries out the operations one by one, in their order, and says for each what became of it. One that is refused leaves
  /// nothing behind, and does not keep the others from being carried out.
  func upload(_ body: Fields) throws -> [String: Any] {
    let operations = try body.elements("operations", countMax: Self.operationsMax)
    try forgetOldChanges()
    let results = try operations.map { fields in
      try result(of: fields).json(operation: try? fields?.text("operation"), id: try? fields?.text("id"))
    }
    return ["results": results, "cursor": now.text]
  }

  private func result(of fields: Fields?) throws -> UploadResult {
    do {
      guard let fields else { throw BackendError.invalid("An operation has to be an object.") }
      let operation = try UploadOperation(fields)
      if let key = operation.key, try context.model(AppliedChange.self, id: key) != nil { return .applied }
      guard operation.time.milliseconds <= now.milliseconds + Self.clockLeadMilliseconds else {
        throw BackendError.invalid("updatedAt lies in the future. Is the clock right?")
      }
      let result = try operation.type == .tasks ? carryOutOnTask(operation) : carryOutOnProject(operation)
      // What changed nothing is judged anew when it comes again: the reason may be gone by then.
      if case .applied = result, let key = operation.key {
        context.insert(AppliedChange(key: key, appliedAt: now.milliseconds))
      }
      return result
    } catch let problem as UploadOperation.Problem {
      return UploadResult(refusing: problem)
    } catch let error as BackendError {
      return UploadResult(refusing: error)
    }
  }

  private func carryOutOnTask(_ operation: UploadOperation) throws -> UploadResult {
    let known = try context.model(StoredTask.self, id: operation.id)
    if let known, operation.time.milliseconds <= known.updatedAt {
      return .stale(known.deletedAt == nil ? row(of: known) : nil)
    }
    switch operation.kind {
    case .upsert:
      try TaskDraft(operation.data).apply(to: known, id: operation.id, at: operation.time, in: self)
    case .delete:
      // An upsert that was under way for longer must not bring the task to life, so an unknown one leaves a trace, too.
      let task = try known ?? newTask(id: operation.id, at: operation.time)
      task.updatedAt = operation.time.milliseconds
      task.deletedAt = task.updatedAt
    }
    return .applied
  }

  private func carryOutOnProject(_ operation: UploadOperation) throws -> UploadResult {
    let known = try context.model(StoredProject.self, id: operation.id)
    if let known, operation.time.milliseconds <= known.updatedAt {
      return .stale(known.deletedAt == nil ? row(of: known) : nil)
    }
    switch operation.kind {
    case .upsert:
      let name = try operation.data.title("name")
      if known?.name.isEmpty ?? true, name == nil { throw BackendError.invalid("name is missing.") }
      let project = try known ?? newProject(operation, createdAt: operation.data.time("created_at"))
      if let name { project.name = name }
      project.updatedAt = operation.time.milliseconds
      project.deletedAt = nil
    case .delete:
      let taskCount = known?.tasks.count { $0.deletedAt == nil } ?? 0
      guard taskCount == 0 else {
        throw BackendError.invalid("The project \(operation.id) still has tasks: \(taskCount).")
      }
      let project = known ?? newProject(operation, createdAt: nil)
      project.updatedAt = operation.time.milliseconds
      project.deletedAt = project.updatedAt
    }
    return .applied
  }

  private func newProject(_ operation: UploadOperation, createdAt: Timestamp?) -> StoredProject {
    let created = createdAt ?? operation.time
    let project = StoredProject(
      id: operation.id, name: "", createdAt: created.milliseconds, updatedAt: operation.time.milliseconds)
    context.insert(project)
    return project
  }

  /// Forgets keys that no client uses any more, a part at a time.
  private func forgetOldChanges() throws {
    let end = now.milliseconds - AppliedChange.keptMilliseconds
    var old = FetchDescriptor<AppliedChange>(predicate: #Predicate { $0.appliedAt < end })
    old.fetchLimit = 2 * Self.operationsMax
    for change in try context.fetch(old) { context.delete(change) }
  }
}
