import Foundation
import SyncEngine

/// The calls from before Swift had `async`. Completions are delivered on the main queue.
extension DataStack {
  /// What a sync of `sync(_:inEntityNamed:predicate:operations:completion:)` tells when it is over: why it failed, or nil.
  public typealias Completion = @MainActor @Sendable (_ error: (any Error)?) -> Void
  /// What it tells if it is asked for its report.
  public typealias Outcome = @MainActor @Sendable (_ result: Result<SyncReport, any Error>) -> Void

  /// Syncs a payload, and tells when it is over.
  @available(*, deprecated, message: "Use the form with async.")
  public func sync(
    _ changes: [[String: Any]], inEntityNamed entityName: String, predicate: ObjectPredicate? = nil,
    operations: Sync.OperationOptions = .all, completion: Completion?
  ) {
    begin(outcome: DataStack.outcome(completion)) {
      EntitySyncRequest(
        entity: entityName, document: try PayloadDocument(changes), predicate: predicate, operations: operations)
    }
  }

  /// Syncs the children of an object, and tells when it is over.
  @available(*, deprecated, message: "Use the form with async.")
  public func sync(
    _ changes: [[String: Any]], inEntityNamed entityName: String, predicate: ObjectPredicate? = nil,
    parent: ManagedObject, parentRelationship: String? = nil, operations: Sync.OperationOptions = .all,
    completion: Completion?
  ) {
    begin(outcome: DataStack.outcome(completion)) {
      EntitySyncRequest(
        entity: entityName, document: try PayloadDocument(changes), predicate: predicate, parent: parent.objectID,
        parentRelationship: parentRelationship, operations: operations)
    }
  }

  /// Syncs a payload, and delivers the report. A closure without the label is a completion: programs have them.
  @_disfavoredOverload
  @available(*, deprecated, message: "Use the form with async.")
  public func sync(
    _ changes: [[String: Any]], inEntityNamed entityName: String, predicate: ObjectPredicate? = nil,
    operations: Sync.OperationOptions = .all, reporting outcome: @escaping Outcome
  ) {
    begin(outcome: outcome) {
      EntitySyncRequest(
        entity: entityName, document: try PayloadDocument(changes), predicate: predicate, operations: operations)
    }
  }

  /// Syncs the children of an object, and delivers the report.
  @_disfavoredOverload
  @available(*, deprecated, message: "Use the form with async.")
  public func sync(
    _ changes: [[String: Any]], inEntityNamed entityName: String, predicate: ObjectPredicate? = nil,
    parent: ManagedObject, parentRelationship: String? = nil, operations: Sync.OperationOptions = .all,
    reporting outcome: @escaping Outcome
  ) {
    begin(outcome: outcome) {
      EntitySyncRequest(
        entity: entityName, document: try PayloadDocument(changes), predicate: predicate, parent: parent.objectID,
        parentRelationship: parentRelationship, operations: operations)
    }
  }

  /// Deletes all objects, and tells when that is done.
  @available(*, deprecated, message: "Use the form with async.")
  public func drop(completion: Completion?) {
    Task {
      var failure: (any Error)?
      do { try await drop() } catch { failure = error }
      await completion?(failure)
    }
  }

  private static func outcome(_ completion: Completion?) -> Outcome {
    { result in
      switch result {
      case .success: completion?(nil)
      case .failure(let error): completion?(error)
      }
    }
  }

  /// The payload is the caller's, so it is read before this returns.
  private func begin(outcome: @escaping Outcome, _ makeRequest: () throws -> EntitySyncRequest) {
    let request = Result { try makeRequest() }
    Task {
      let result: Result<SyncReport, any Error>
      do {
        result = .success(try await run(try request.get()))
      } catch {
        result = .failure(error)
      }
      await outcome(result)
    }
  }
}

extension Sync {
  /// Syncs a payload into a stack, and tells when it is over.
  @available(*, deprecated, message: "Use the form with async.")
  public static func changes(
    _ changes: [[String: Any]], inEntityNamed entityName: String, predicate: ObjectPredicate? = nil,
    dataStack: DataStack, operations: OperationOptions = .all, completion: DataStack.Completion?
  ) {
    dataStack.sync(
      changes, inEntityNamed: entityName, predicate: predicate, operations: operations, completion: completion)
  }

  /// Syncs the children of an object into a stack, and tells when it is over.
  @available(*, deprecated, message: "Use the form with async.")
  public static func changes(
    _ changes: [[String: Any]], inEntityNamed entityName: String, predicate: ObjectPredicate? = nil,
    parent: ManagedObject, parentRelationship: String? = nil, dataStack: DataStack,
    operations: OperationOptions = .all, completion: DataStack.Completion?
  ) {
    dataStack.sync(
      changes, inEntityNamed: entityName, predicate: predicate, parent: parent, parentRelationship: parentRelationship,
      operations: operations, completion: completion)
  }
}
