import SwiftSync

/// What applications do with objects: find, list, count, change, walk through all.
struct ObjectsCase: BenchmarkCase {
  let name = "objects"
  let summary = "fetches, counts and saves of model objects, with their plans and allocations"

  func run(_ settings: Settings) async throws -> CaseReport {
    let folder = try settings.workFolder(for: name)
    let store = try TrackerStore(at: folder["store"], taskCount: settings.rowCount)
    let operations = try operations(on: store)
    let result = try await settings.race().run(
      operations.map { operation in .loop(operation.name) { _ = try operation.run() } })
    var report = CaseReport(self, result, ratios: [])
    var costs = ReportTable("allocations", columns: ["objects", "allocations", "per object"])
    for operation in operations where result.names.contains(operation.name) {
      let cost = try operation.cost()
      costs.add(
        operation.name,
        [Double(cost.objects), Double(cost.allocations), Double(cost.allocations) / Double(max(1, cost.objects))])
      if let plan = operation.plan { report.notes.append("\(operation.name):\n\(plan)") }
    }
    report.tables.append(costs)
    return report
  }

  private func operations(on store: TrackerStore) throws -> [ObjectOperation] {
    let container = store.container
    var numbers = PseudoRandom(seed: 3)
    return [
      try .fetch("by identity", from: container) {
        let id = store.taskIDs[Int(numbers.next() % UInt64(store.taskIDs.count))]
        return FetchDescriptor<Task>(predicate: #Predicate { $0.id == id })
      },
      try .fetch("a project's, sorted", from: container) {
        let project = store.projects[Int(numbers.next() % UInt64(store.projects.count))]
        return FetchDescriptor<Task>(
          predicate: #Predicate { $0.project?.persistentModelID == project },
          sortBy: [SortDescriptor(\.updatedAt, order: .reverse)])
      },
      try .fetch("filter, sort, 50", from: container) {
        var descriptor = FetchDescriptor<Task>(
          predicate: #Predicate { $0.priority >= 3 }, sortBy: [SortDescriptor(\.createdAt, order: .reverse)])
        descriptor.fetchLimit = 50
        return descriptor
      },
      try .fetch("the same, indexed", from: container) {
        var descriptor = FetchDescriptor<IndexedTask>(
          predicate: #Predicate { $0.priority >= 3 }, sortBy: [SortDescriptor(\.createdAt, order: .reverse)])
        descriptor.fetchLimit = 50
        return descriptor
      },
      try .count(
        "count, filtered", in: container, FetchDescriptor<Task>(predicate: #Predicate { $0.priority >= 3 })),
      try .count(
        "the same, indexed count", in: container,
        FetchDescriptor<IndexedTask>(predicate: #Predicate { $0.priority >= 3 })),
      try saving(in: container, store),
      ObjectOperation(name: "enumerate all") {
        var count = 0
        try ModelContext(container).enumerate(FetchDescriptor<Task>()) { _ in count += 1 }
        return count
      },
    ]
  }

  /// Saves of one changed object, in a context that keeps it. The store is relaxed; these saves are not.
  private func saving(in container: ModelContainer, _ store: TrackerStore) throws -> ObjectOperation {
    let context = ModelContext(container)
    var descriptor = FetchDescriptor<Task>()
    descriptor.fetchLimit = 1
    let task = try context.fetch(descriptor).first
    var number = 0
    return ObjectOperation(name: "save one changed") {
      number += 1
      task?.title = "Changed \(number)"
      try context.save(durability: .full)
      return 1
    }
  }
}
