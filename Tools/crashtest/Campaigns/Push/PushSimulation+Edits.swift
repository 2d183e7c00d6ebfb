import DemoClient
import SwiftSync
import TestSupport

// What a user does with a client.
extension PushSimulation {
  /// Makes a random edit, and notes what the client has promised by it.
  func edit(_ client: SimulatedClient) throws {
    let tasks = try client.ids(of: DemoClient.Task.self)
    let projects = try client.ids(of: Project.self)
    let title = nextTitle(of: client)
    switch random.below(100) {
    case ..<25:
      try createTask(
        random.chance(85) ? "t\(editCount)" : client.deletedTasks.randomElement(using: &random), title, client)
    case ..<65:
      guard let id = random.pick(tasks) else { return }
      try updateTask(id, title, client)
    case ..<80:
      guard let id = random.pick(tasks) else { return }
      trace.note("\(client.name) deletes \(id)")
      try promise([(RowName(type: "tasks", id: id), nil)], client) { try client.engine.deleteTask(id) }
      client.deletedTasks.append(id)
      if random.chance(25) { try createTask(id, nextTitle(of: client), client) }
    case ..<87:
      trace.note("\(client.name) makes project \(title)")
      let id = "q\(editCount)"
      try promise([(RowName(type: "projects", id: id), title)], client) {
        try client.engine.createProject(id: id, name: title)
      }
    case ..<95:
      guard let id = random.pick(projects) else { return }
      trace.note("\(client.name) renames \(id) to \(title)")
      try promise([(RowName(type: "projects", id: id), title)], client) {
        try client.engine.renameProject(id, to: title)
      }
    default:
      guard let id = random.pick(projects.filter { $0.hasPrefix("q") }) else { return }
      trace.note("\(client.name) deletes \(id)")
      let tasks = try client.engine.context.model(Project.self, id: id)?.tasks.map(\.id) ?? []
      let rows = tasks.map { RowName(type: "tasks", id: $0) } + [RowName(type: "projects", id: id)]
      try promise(rows.map { ($0, nil) }, client) { try client.engine.deleteProject(id) }
    }
  }

  private func createTask(_ id: String?, _ title: String, _ client: SimulatedClient) throws {
    guard let id, let project = random.pick(try client.ids(of: Project.self)), let user = random.pick(Self.users),
      try client.engine.context.model(DemoClient.Task.self, id: id) == nil
    else { return }
    trace.note("\(client.name) makes \(id) in \(project): \(title)")
    try promise([(RowName(type: "tasks", id: id), title)], client) {
      try client.engine.createTask(id: id, title: title, projectID: project, authorID: user.id)
    }
  }

  private func updateTask(_ id: String, _ title: String, _ client: SimulatedClient) throws {
    let choice = random.below(6)
    let number = random.next()
    let project = random.pick(try client.ids(of: Project.self))
    trace.note("\(client.name) changes \(id) (\(choice)): \(title)")
    try promise([(RowName(type: "tasks", id: id), title)], client) {
      try client.engine.updateTask(id) { task in
        task.title = title
        let context = client.engine.context
        switch choice {
        case 0:
          task.state = ["todo", "inProgress", "done"][Int(number % 3)]
          task.stateLabel = ["To Do", "In Progress", "Done"][Int(number % 3)]
        case 1: task.descriptionText = number % 2 == 0 ? nil : "d\(number % 100)"
        case 2:
          task.reviewers = try Self.users.prefix(Int(number % 4)).compactMap { try context.model(User.self, id: $0.id) }
        case 3: task.assignee = number % 3 == 0 ? nil : try context.model(User.self, id: "u\(number % 3)")
        case 4: if let project { task.project = try context.model(Project.self, id: project) }
        default: break
        }
      }
      if choice == 5 {
        try client.engine.replaceItems(of: id, with: (0..<number % 4).map { "i\(number % 100)-\($0)" })
      }
    }
  }

  /// Saves edits, and notes them. Where the client dies meanwhile it is not known whether they are there.
  private func promise(_ edits: [(RowName, String?)], _ client: SimulatedClient, _ save: () throws -> Void) throws {
    do {
      try save()
      for (row, edit) in edits { client.ledger.saved(row, edit) }
      count("edits")
    } catch {
      guard client.noteDeath() else { throw error }
      for (row, edit) in edits { client.ledger.perhapsSaved(row, edit) }
      throw error
    }
  }
}
