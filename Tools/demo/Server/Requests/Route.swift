import Foundation

/// What a path leads to.
enum Route: Equatable {
  case projects
  case project(String)
  case projectTasks(String)
  case users
  case taskStates
  case tasks
  case task(String)
  case reviewers(String)
  case watchers(String)
  case upload

  init(path: String) throws {
    let segments = path.split(separator: "/").map { $0.removingPercentEncoding ?? String($0) }
    switch (segments.count, segments.first) {
    case (1, "projects"): self = .projects
    case (1, "users"): self = .users
    case (1, "task-state-options"): self = .taskStates
    case (1, "tasks"): self = .tasks
    case (2, "projects"): self = .project(segments[1])
    case (2, "tasks"): self = .task(segments[1])
    case (2, "sync") where segments[1] == "upload": self = .upload
    case (3, "projects") where segments[2] == "tasks": self = .projectTasks(segments[1])
    case (3, "tasks") where segments[2] == "reviewers": self = .reviewers(segments[1])
    case (3, "tasks") where segments[2] == "watchers": self = .watchers(segments[1])
    default: throw BackendError.noSuchPath(path)
    }
  }
}
