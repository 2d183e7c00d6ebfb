import SwiftSync
import SyncEngine

/// The tracker in a store of ours, used as applications use it.
final class OurTracker: PeerStore {
  private let folder: String
  private let container: SyncContainer
  /// Whether the tasks are `IndexedTask`s, which have no links.
  private let isIndexed: Bool

  init(at folder: String, isIndexed: Bool) throws {
    self.folder = folder
    let configuration = ModelConfiguration(url: URL(fileURLWithPath: folder))
    container =
      isIndexed
      ? try SyncContainer(for: IndexedTask.self, configurations: configuration)
      : try SyncContainer(for: Task.self, configurations: configuration)
    self.isIndexed = isIndexed
  }

  func close() {
    container.modelContainer.close()
  }

  func sync(_ payload: String) async throws -> [Phase] {
    if isIndexed { return try await sync(payload + "/tasks.json", as: IndexedTask.self).phases }
    let users = try await sync(payload + "/users.json", as: User.self)
    let projects = try await sync(payload + "/projects.json", as: Project.self)
    let tasks = try await sync(payload + "/tasks.json", as: Task.self)
    return (users + projects + tasks).phases
  }

  private func sync<Model: SyncUpdatableModel>(_ file: String, as model: Model.Type) async throws -> SyncTimes {
    let clock = ContinuousClock()
    let start = clock.now
    let report = try await container.sync(contentsOf: URL(fileURLWithPath: file), as: model)
    return SyncTimes(clock.now - start, report.durations)
  }

  func upsert(_ tasks: [Data], concurrency: Int) async throws {
    try await withThrowingTaskGroup(of: Void.self) { [container] group in
      for first in 0..<concurrency {
        group.addTask {
          for index in stride(from: first, to: tasks.count, by: concurrency) {
            try await container.sync(json: tasks[index], as: Task.self)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  func find(_ ids: [UUID]) throws -> Listing {
    let context = ModelContext(container.modelContainer)
    var listing = Listing()
    for id in ids {
      if let task = try context.model(Task.self, id: id) { listing.add(task.id, task.title, task.descriptionText) }
    }
    return listing
  }

  func fetch(_ ids: [UUID]) throws -> Listing {
    let context = ModelContext(container.modelContainer)
    var listing = Listing()
    for id in ids {
      var descriptor = FetchDescriptor<Task>(predicate: #Predicate { $0.id == id })
      descriptor.fetchLimit = 1
      for task in try context.fetch(descriptor) { listing.add(task.id, task.title, task.descriptionText) }
    }
    return listing
  }

  func list(_ projects: [UUID]) throws -> Listing {
    let context = ModelContext(container.modelContainer)
    var listing = Listing()
    for id in projects {
      let descriptor = FetchDescriptor<Task>(
        predicate: #Predicate { $0.project?.id == id },
        sortBy: [SortDescriptor(\.updatedAt, order: .reverse), SortDescriptor(\.id)])
      for task in try context.fetch(descriptor) { listing.add(task.id, task.title, task.descriptionText) }
    }
    return listing
  }

  func urgent(priority: Int, limit: Int) throws -> Listing {
    let context = ModelContext(container.modelContainer)
    var listing = Listing()
    if isIndexed {
      var descriptor = FetchDescriptor<IndexedTask>(
        predicate: #Predicate { $0.priority >= priority },
        sortBy: [SortDescriptor(\.createdAt, order: .reverse), SortDescriptor(\.id)])
      descriptor.fetchLimit = limit
      for task in try context.fetch(descriptor) { listing.add(task.id, task.title, task.descriptionText) }
    } else {
      var descriptor = FetchDescriptor<Task>(
        predicate: #Predicate { $0.priority >= priority },
        sortBy: [SortDescriptor(\.createdAt, order: .reverse), SortDescriptor(\.id)])
      descriptor.fetchLimit = limit
      for task in try context.fetch(descriptor) { listing.add(task.id, task.title, task.descriptionText) }
    }
    return listing
  }

  func export(_ projects: [UUID]) throws -> Int {
    try projects.reduce(0) { bytes, id in
      let json = try container.exportJSON(FetchDescriptor<Project>(predicate: #Predicate { $0.id == id }))
      // Without the brackets around the one object.
      return bytes + json.count - 2
    }
  }

  func counts() throws -> TrackerAnswers.Counts {
    let records = try OurRecords(at: folder)
    defer { records.close() }
    return try records.counts()
  }
}

extension Listing {
  fileprivate mutating func add(_ id: UUID, _ title: String, _ description: String?) {
    add(id, textBytes: title.utf8.count + (description?.utf8.count ?? 0))
  }
}
