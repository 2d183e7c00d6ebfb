import Foundation
import Observation

/// The rows of a query, and a load that brings them from a backend: a list screen's.
///
/// The rows are live in every phase. `load()` is what a screen calls when it appears: it runs the closure once, and again after a
/// failure. `reload()` runs it again after success too, as a pull to refresh does.
@MainActor
@Observable
public final class SyncedQueryPublisher<Model: PersistentModel> {
  @ObservationIgnored private let publisher: SyncQueryPublisher<Model>
  @ObservationIgnored private let driver: LoadDriver

  /// Reads the rows of a query, and loads by a closure that syncs them.
  public init(
    _ shape: SyncQueryShape<Model>, in syncContainer: SyncContainer,
    fallbackMessage: String = "Something went wrong. Please try again.",
    load: @escaping @MainActor () async throws -> Void
  ) {
    publisher = SyncQueryPublisher(shape, in: syncContainer)
    driver = LoadDriver(fallbackMessage: fallbackMessage, action: load)
  }

  /// Reads all rows, or those that a predicate is true of.
  public convenience init(
    _ modelType: Model.Type, predicate: Predicate<Model>? = nil, in syncContainer: SyncContainer,
    sortBy: [SortDescriptor<Model>] = [], fallbackMessage: String = "Something went wrong. Please try again.",
    load: @escaping @MainActor () async throws -> Void
  ) {
    self.init(
      SyncQueryShape(modelType, predicate: predicate, sortBy: sortBy), in: syncContainer,
      fallbackMessage: fallbackMessage, load: load)
  }

  /// Reads the rows of which a to-one relationship leads to the object with an identity.
  public convenience init<Related: SyncModelable>(
    _ modelType: Model.Type, relationship: ReferenceWritableKeyPath<Model, Related?>, relationshipID: Related.SyncID,
    in syncContainer: SyncContainer, sortBy: [SortDescriptor<Model>] = [],
    fallbackMessage: String = "Something went wrong. Please try again.",
    load: @escaping @MainActor () async throws -> Void
  ) {
    self.init(
      SyncQueryShape(modelType, relationship: relationship, relationshipID: relationshipID, sortBy: sortBy),
      in: syncContainer, fallbackMessage: fallbackMessage, load: load)
  }

  /// Reads the rows of which a to-many relationship has the object with an identity among its members.
  public convenience init<Related: SyncModelable>(
    _ modelType: Model.Type, relationship: ReferenceWritableKeyPath<Model, [Related]>, relationshipID: Related.SyncID,
    in syncContainer: SyncContainer, sortBy: [SortDescriptor<Model>] = [],
    fallbackMessage: String = "Something went wrong. Please try again.",
    load: @escaping @MainActor () async throws -> Void
  ) {
    self.init(
      SyncQueryShape(modelType, relationship: relationship, relationshipID: relationshipID, sortBy: sortBy),
      in: syncContainer, fallbackMessage: fallbackMessage, load: load)
  }

  /// How far the load has come.
  public var phase: SyncLoadPhase { driver.phase }
  /// The objects, in order: `SyncQueryPublisher.rows`.
  public var rows: [Model] { publisher.rows }
  /// Why the last fetch from the store has failed; nil if it has not.
  public var failure: (any Error)? { publisher.failure }

  /// Runs the closure, unless it has succeeded before or is running.
  ///
  /// If it throws, the phase says what to show: the error's own text if it is a `LocalizedError` that has one, else the fallback.
  public func load() async { await driver.load() }

  /// Runs the closure, unless it is running.
  public func reload() async { await driver.reload() }
}
