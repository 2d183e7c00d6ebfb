import Foundation
import KeyValueStore
import Records

// Every error says its sentence also where an application shows `localizedDescription`.

extension ModelError: LocalizedError {
  /// The error as a sentence.
  public var errorDescription: String? { description }
}

extension SchemaError: LocalizedError {
  /// The error as a sentence.
  public var errorDescription: String? { description }
}

extension MigrationPlanError: LocalizedError {
  /// The error as a sentence.
  public var errorDescription: String? { description }
}

extension SchemaDeclarationError: LocalizedError {
  /// The error as a sentence.
  public var errorDescription: String? { description }
}

extension RecordError: LocalizedError {
  /// The error as a sentence.
  public var errorDescription: String? { description }
}

extension StoreError: LocalizedError {
  /// The error as a sentence.
  public var errorDescription: String? { description }
}
