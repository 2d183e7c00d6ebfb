import DemoClient
import Records
import SwiftSync

extension SimulatedClient {
  /// Looks whether everything in the store's files agrees.
  func checkStore() throws {
    let store = try RecordStore(readingAt: folder)
    defer { store.close() }
    let problems = try store.read { try $0.checkInvariants(limit: 10) }
    if let first = problems.first { throw Finding("\(name): the store is not sound: \(first)") }
  }

  /// The identities of a model's rows, in order.
  func ids<Model: SyncUpdatableModel>(of model: Model.Type) throws -> [String] where Model.SyncID == String {
    try engine.context.fetch(FetchDescriptor<Model>()).map { $0[keyPath: Model.syncIdentity] }.sorted()
  }

  /// What waits to be sent, in words.
  func pendingChanges() throws -> [String] {
    let tasks = try SwiftSync.pendingChangeSet(for: DemoClient.Task.self, in: engine.context).changes
    let projects = try SwiftSync.pendingChangeSet(for: Project.self, in: engine.context).changes
    return (tasks + projects).map { "\($0.id) \($0.kind) \($0.changedProperties)" }
  }

  /// Whether nothing of it waits.
  func isAtRest() throws -> Bool { try pendingChanges().isEmpty && engine.failedChanges().isEmpty }

  /// What its rows are called.
  func titles() throws -> [RowName: String] {
    let context = ModelContext(engine.container.modelContainer)
    var titles: [RowName: String] = [:]
    for project in try context.fetch(FetchDescriptor<Project>()) {
      titles[RowName(type: "projects", id: project.id)] = project.name
    }
    for task in try context.fetch(FetchDescriptor<DemoClient.Task>()) {
      titles[RowName(type: "tasks", id: task.id)] = task.title
    }
    return titles
  }
}
