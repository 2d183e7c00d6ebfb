import Foundation
import Records
import Synchronization

/// Names one row of one store, or one object that has not been saved yet.
///
/// Identifiers are values: they can be stored, sent to other actors and compared across contexts. The identifier of an
/// unsaved object is temporary and equals no stored row's; saving gives the object its lasting one.
public struct PersistentIdentifier: Hashable, Sendable, Codable {
  /// The name of the row's entity.
  public let entityName: String
  /// The store that the row lives in, or nil while it is unsaved.
  public let storeIdentifier: String?
  let number: UInt64

  /// The identifier of a stored row.
  init(entityName: String, storeIdentifier: String, row: RowNumber) {
    self.entityName = entityName
    self.storeIdentifier = storeIdentifier
    self.number = row.rawValue
  }

  /// A temporary identifier.
  init(entityName: String, temporaryNumber: UInt64) {
    self.entityName = entityName
    self.storeIdentifier = nil
    self.number = temporaryNumber
  }

  /// A number that makes a temporary identifier different from every other one in this process; never zero.
  static func nextTemporaryNumber() -> UInt64 {
    temporaryNumbers.add(1, ordering: .relaxed).newValue
  }

  private static let temporaryNumbers = Atomic<UInt64>(0)

  /// Whether the row has not been saved yet.
  public var isTemporary: Bool { storeIdentifier == nil }

  /// The row, if it has been saved.
  var row: RowNumber? { isTemporary ? nil : RowNumber(rawValue: number) }

  /// Hashes the number only, because two rows with equal numbers in different entities are rare in one collection.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(number)
  }
}

extension PersistentIdentifier: CustomStringConvertible {
  /// The entity and the row, such as `Task/17`; unsaved rows as `Task/new-3`.
  public var description: String { isTemporary ? "\(entityName)/new-\(number)" : "\(entityName)/\(number)" }
}
