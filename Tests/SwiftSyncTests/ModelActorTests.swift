import Foundation
import Records
import SwiftSync
import TestSupport
import Testing

@ModelActor private actor Editor {
  private var kept: Project?

  func add(_ id: Int, _ name: String) throws -> PersistentIdentifier {
    let project = Project(id: id, name: name)
    modelContext.insert(project)
    try modelContext.save()
    return project.persistentModelID
  }

  func name(of id: PersistentIdentifier) -> String? {
    self[id, as: Project.self]?.name
  }

  func rename(_ id: PersistentIdentifier, to name: String, save: Bool = true) throws {
    self[id, as: Project.self]?.name = name
    if save { try modelContext.save() }
  }

  func delete(_ id: PersistentIdentifier) throws {
    if let project = self[id, as: Project.self] { modelContext.delete(project) }
    try modelContext.save()
  }

  func isOnMainQueue() -> Bool { Thread.isMainThread }

  /// Holds on to an object, has somebody else write, and looks at the object again.
  func look(at id: PersistentIdentifier, while write: @Sendable () async throws -> Void) async throws -> [String] {
    let project = try #require(self[id, as: Project.self])
    kept = project
    let before = project.name
    try await write()
    assertIsolated()
    return [before, project.name]
  }

  func sync(_ container: SyncContainer, _ id: PersistentIdentifier, to name: String) async throws -> [String] {
    let project = try #require(self[id, as: Project.self])
    let before = project.name
    try await container.sync(item: ["id": 1, "name": name], as: Project.self)
    return [before, project.name]
  }

  func editWithAutosave(_ id: PersistentIdentifier, to name: String) {
    modelContext.autosaveEnabled = true
    self[id, as: Project.self]?.name = name
  }

  func hasChanges() -> Bool { modelContext.hasChanges }
}

@ModelActor(disableGenerateInit: true) private actor Named {
  let name: String

  init(name: String, container: ModelContainer) {
    self.name = name
    let context = ModelContext(container)
    context.author = name
    modelContainer = container
    modelExecutor = DefaultSerialModelExecutor(modelContext: context)
  }

  func author() -> String? { modelContext.author }
}

/// Its context has something to save from the beginning.
@ModelActor(disableGenerateInit: true) private actor Early {
  init(container: ModelContainer) {
    let context = ModelContext(container)
    context.autosaveEnabled = true
    context.insert(Project(id: 1, name: "early"))
    modelContainer = container
    modelExecutor = DefaultSerialModelExecutor(modelContext: context)
  }

  /// Its turn comes after that in which the context saves.
  func settle() {}
}

@Suite("A model actor has a context of its own, and its objects are up to date after every await")
struct ModelActorTests {
  @Test("An actor edits what another one made, by identifier")
  func edits() async throws {
    let container = try trackerContainer()
    let one = Editor(modelContainer: container)
    let other = Editor(modelContainer: container)
    let id = try await one.add(1, "a")
    #expect(await other.name(of: id) == "a")
    try await other.rename(id, to: "b")
    #expect(await one.name(of: id) == "b")
    try await one.delete(id)
    #expect(await other.name(of: id) == nil)
    #expect(await Named(name: "widget", container: container).author() == "widget")
  }

  @Test("It does not run on the main actor, even if it was made there")
  @MainActor func offTheMainActor() async throws {
    let editor = Editor(modelContainer: try trackerContainer())
    #expect(await !editor.isOnMainQueue())
  }

  @Test("What it holds on to is up to date when it goes on after a call that wrote")
  func fresh() async throws {
    let container = try trackerContainer()
    let one = Editor(modelContainer: container)
    let other = Editor(modelContainer: container)
    let id = try await one.add(1, "0")
    for turn in 1...100 {
      let seen = try await one.look(at: id) { try await other.rename(id, to: "\(turn)") }
      #expect(seen == ["\(turn - 1)", "\(turn)"])
    }
    let seen = try await one.sync(SyncContainer(container), id, to: "synced")
    #expect(seen == ["100", "synced"])
  }

  @Test("Unsaved edits stay with the actor")
  func unsaved() async throws {
    let container = try trackerContainer()
    let one = Editor(modelContainer: container)
    let id = try await one.add(1, "a")
    try await one.rename(id, to: "b", save: false)
    #expect(await Editor(modelContainer: container).name(of: id) == "a")
    #expect(await one.hasChanges())
  }

  @Test("With autosave its edits are saved when the call is through")
  func autosave() async throws {
    let container = try trackerContainer()
    let one = Editor(modelContainer: container)
    let id = try await one.add(1, "a")
    await one.editWithAutosave(id, to: "b")
    // Two calls that follow each other may be one turn of the actor.
    await Task.yield()
    #expect(await !one.hasChanges())
    #expect(await Editor(modelContainer: container).name(of: id) == "b")
  }

  @Test("A context that was edited before it became an actor's is saved all the same")
  func autosaveFromBefore() async throws {
    let container = try trackerContainer()
    let one = Early(container: container)
    await one.settle()
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Project>()) == 1)
  }

  @Test("Many actors that edit at once lose nothing, and each sees what all have saved")
  func contention() async throws {
    let container = try trackerContainer()
    let editors = (0..<4).map { _ in Editor(modelContainer: container) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, editor) in editors.enumerated() {
        group.addTask {
          var generator = SplitMix64(seed: UInt64(number))
          var ids: [PersistentIdentifier] = []
          for turn in 0..<50 {
            ids.append(try await editor.add(number * 100 + turn, "new"))
            guard let id = generator.pick(ids) else { continue }
            try await editors[generator.below(editors.count)].rename(id, to: "\(id)")
          }
        }
      }
      try await group.waitForAll()
    }
    let projects = try ModelContext(container).fetch(FetchDescriptor<Project>())
    #expect(projects.count == 200)
    for project in projects where project.name != "new" {
      for editor in editors { #expect(await editor.name(of: project.persistentModelID) == project.name) }
    }
  }
}

@Suite("Autosave, where it is asked for, saves when the code that edited is through")
struct AutosaveTests {
  @Test("The main context saves at the end of the turn")
  @MainActor func mainContext() async throws {
    let container = try trackerContainer()
    let context = container.mainContext
    #expect(!context.autosaveEnabled)
    context.autosaveEnabled = true
    let project = Project(id: 1, name: "a")
    context.insert(project)
    #expect(context.hasChanges)
    await Task.yield()
    #expect(!context.hasChanges)
    project.name = "b"
    project.name = "c"
    await Task.yield()
    #expect(try ModelContext(container).fetch(FetchDescriptor<Project>()).map(\.name) == ["c"])
  }

  @Test("Enabling it saves what is unsaved; another context saves in processPendingChanges")
  func otherContexts() throws {
    let context = ModelContext(try trackerContainer())
    context.insert(Project(id: 1, name: "a"))
    context.processPendingChanges()
    #expect(context.hasChanges)
    context.autosaveEnabled = true
    context.processPendingChanges()
    #expect(!context.hasChanges)
  }

  @Test("A failure keeps the edits, and the next fetch throws it once")
  func failure() throws {
    let context = ModelContext(try trackerContainer())
    let projects = [Project(id: 1, name: "a"), Project(id: 2, name: "b")]
    projects.forEach(context.insert)
    try context.save()
    context.autosaveEnabled = true
    projects[1].id = 1
    context.processPendingChanges()
    #expect(throws: RecordError.self) { try context.fetch(FetchDescriptor<Project>()) }
    #expect(projects[1].id == 1 && context.hasChanges)
    projects[1].id = 3
    context.processPendingChanges()
    #expect(try context.fetchCount(FetchDescriptor<Project>(predicate: #Predicate { $0.id == 3 })) == 1)
    #expect(!context.hasChanges)
  }
}
