import Foundation
import KeyValueStore
import Records

/// That a store could not be opened, and was put out of the way for a new one.
public struct StoreRecovery: Sendable {
  /// Why it could not be opened.
  public let cause: any Error
  /// Where its folder is now, with everything that was in it.
  public let movedTo: URL
}

extension ModelContainer {
  /// Opens a store; if that fails because of what the store holds, moves its folder aside and makes a new one in its place.
  ///
  /// - Returns: The container, and what was done if anything was.
  /// - Throws: What opening throws, when another store in its place would not open either; `SyncError.containerInitialization`
  ///   when the store could not be moved; what opening the new one throws.
  static func recovering(
    for schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)?, configurations: [ModelConfiguration]
  ) throws -> (container: ModelContainer, recovery: StoreRecovery?) {
    func open() throws -> ModelContainer {
      try ModelContainer(for: schema, migrationPlan: migrationPlan, configurations: configurations)
    }
    // Who only reads does not decide what becomes of a store.
    guard configurations.first?.allowsSave ?? true else { return (try open(), nil) }
    do {
      return (try open(), nil)
    } catch  where error.isAboutStoredData {
      let store = (configurations.first ?? ModelConfiguration()).url
      let moved: String
      do {
        moved = try Environment.moveAside(store.path)
      } catch let refusal {
        throw SyncError.containerInitialization(reason: "\(error) It could not be moved aside: \(refusal)")
      }
      let recovery = StoreRecovery(cause: error, movedTo: URL(fileURLWithPath: moved, isDirectory: true))
      return (try open(), recovery)
    }
  }
}

extension Error {
  /// Whether it says that a store cannot be used for what it holds: damage, another format, another schema. What else can
  /// stand in the way of opening one, such as a lock or a full disk, is no reason to give it up.
  fileprivate var isAboutStoredData: Bool {
    switch self {
    case let error as StoreError:
      switch error {
      case .damaged, .notAStore, .newerFormat: true
      default: false
      }
    case let error as RecordError:
      switch error {
      case .damagedRecord, .damagedContent, .damagedEntry, .damagedIndexEntry, .damagedCatalog, .damagedTransaction,
        .notARecordStore, .newerFormat, .schemaMismatch, .newerSchema, .unknownSchema, .noMigrationStage,
        .uniqueConflict, .missingRequiredValue, .missingDestination:
        true
      default: false
      }
    case let error as ModelError:
      if case .unreadableValue = error { true } else { false }
    default: false
    }
  }
}
