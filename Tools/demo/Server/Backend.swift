import DemoWire
import SwiftSync
import Synchronization

/// The tracker's server without its network: a request goes in, a response comes out.
///
/// It keeps projects, users and tasks in a store of its own. It can be used from any thread; requests that write take turns. Whatever a
/// request says, the answer is a response, and one that is an error has changed nothing.
package final class Backend: Sendable {
  /// What a body may have at most. A thousand tasks are half a megabyte.
  package static let bodyBytesMax = 4 << 20

  private let container: ModelContainer
  private let clock: @Sendable () -> Date
  private let turn = Mutex(())

  /// - Parameters:
  ///   - folder: where the store is; nil for one in memory.
  ///   - seed: what a new store begins with.
  ///   - clock: what time it is.
  /// - Throws: what opening a store throws.
  package init(
    at folder: URL? = nil, seed: Seed = .tracker, clock: @escaping @Sendable () -> Date = { Date() }
  ) throws {
    let configuration =
      folder.map { ModelConfiguration(url: $0, history: .off) }
      ?? ModelConfiguration(isStoredInMemoryOnly: true, history: .off)
    container = try ModelContainer(for: StoredTask.self, AppliedChange.self, configurations: configuration)
    self.clock = clock
    try seed.plant(in: Session(context: ModelContext(container), now: Timestamp(clock())))
  }

  /// Answers a request.
  package func handle(_ request: Request) -> Response {
    do {
      guard request.body.count <= Self.bodyBytesMax else {
        throw BackendError.bodyTooLong(bytes: request.body.count)
      }
      if request.method == .get { return try answer(request) }
      return try turn.withLock { _ in try answer(request) }
    } catch let error as BackendError {
      return Self.response(error.status, ["error": error.description])
    } catch {
      return Self.response(500, ["error": "\(error)"])
    }
  }

  private func answer(_ request: Request) throws -> Response {
    let route = try Route(path: request.path)
    let session = Session(context: ModelContext(container), now: Timestamp(clock()))
    let response = try answer(request, route, session)
    try session.context.save()
    return response
  }

  private func answer(_ request: Request, _ route: Route, _ session: Session) throws -> Response {
    let fields = { try Fields(body: request.body) }
    return switch (request.method, route) {
    case (.get, .projects): Self.response(200, try session.projectRows())
    case (.get, .project(let id)): Self.response(200, session.row(of: try session.project(id)))
    case (.get, .projectTasks(let id)): Self.response(200, try session.taskRows(of: session.project(id)))
    case (.get, .users): Self.response(200, try session.userRows())
    case (.get, .taskStates): Self.response(200, session.taskStateRows())
    case (.get, .tasks): Self.response(200, try session.taskRows())
    case (.get, .task(let id)): Self.response(200, session.row(of: try session.task(id)))
    case (.post, .tasks): Self.response(201, session.row(of: try session.createTask(fields())))
    case (.put, .task(let id)): Self.response(200, session.row(of: try session.replaceTask(id, fields())))
    case (.patch, .task(let id)): Self.response(200, session.row(of: try session.patchTask(id, fields())))
    case (.put, .reviewers(let id)): Self.response(200, session.row(of: try session.replaceReviewers(of: id, fields())))
    case (.put, .watchers(let id)): Self.response(200, session.row(of: try session.replaceWatchers(of: id, fields())))
    case (.delete, .task(let id)): try delete(id, session)
    case (.post, .upload): Self.response(200, try session.upload(fields()))
    default: throw BackendError.methodNotAllowed(request.method.rawValue, path: request.path)
    }
  }

  private func delete(_ id: String, _ session: Session) throws -> Response {
    try session.deleteTask(id)
    return Response(status: 204, body: Data())
  }

  /// A response with a JSON value.
  package static func response(_ status: Int, _ value: Any) -> Response {
    // All values here are of the kinds that JSON has.
    let text = try? JSONSerialization.data(withJSONObject: value, options: [.sortedKeys, .withoutEscapingSlashes])
    return text.map { Response(status: status, body: $0) } ?? Response(status: 500, body: Data())
  }
}
