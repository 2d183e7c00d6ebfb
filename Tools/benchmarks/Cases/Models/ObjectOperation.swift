import CCounters
import SwiftSync

/// Something that an application does with objects again and again.
struct ObjectOperation {
  let name: String
  /// How the store does it, in a few lines; nil where nothing is searched.
  var plan: String?
  /// Does it once, and returns how many objects it was about.
  let run: () throws -> Int

  /// What one run asks for.
  struct Cost {
    var objects: Int
    var allocations: Int
  }

  /// Counts what a run costs, after another one that filled caches.
  func cost() throws -> Cost {
    _ = try run()
    let before = allocation_count()
    let objects = try run()
    return Cost(objects: objects, allocations: Int(allocation_count() - before))
  }
}

extension ObjectOperation {
  /// A fetch, by a context that is made anew each time, so that every object is too.
  static func fetch<Model: PersistentModel>(
    _ name: String, from container: ModelContainer, _ descriptor: @escaping () -> FetchDescriptor<Model>
  ) throws -> ObjectOperation {
    ObjectOperation(name: name, plan: try descriptor().explain(in: ModelContext(container))) {
      try ModelContext(container).fetch(descriptor()).count
    }
  }

  static func count<Model: PersistentModel>(
    _ name: String, in container: ModelContainer, _ descriptor: FetchDescriptor<Model>
  ) throws -> ObjectOperation {
    ObjectOperation(name: name, plan: try descriptor.explain(in: ModelContext(container))) {
      _ = try ModelContext(container).fetchCount(descriptor)
      return 1
    }
  }
}
