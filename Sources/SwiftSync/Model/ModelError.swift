import Foundation

/// What a context or container refuses.
public enum ModelError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The class is not part of the container's schema.
  case unknownModel(String)
  /// A container has one store; several configurations were given.
  case severalConfigurations(count: Int)
  /// The schema of the configuration lacks classes of the container.
  case classesOutsideConfiguration([String])
  /// A store is a folder of the file system, and the address leads elsewhere.
  case notAFileURL(URL)
  /// A row holds a value that the class's property cannot represent, such as a raw value that an enum does not have.
  case unreadableValue(entity: String, row: UInt64, attribute: String, value: String)
  /// A `Codable` value could not be encoded.
  case unencodableValue(entity: String, attribute: String, reason: String)
  /// An object of a deleted row was inserted again, and a value of it was in external storage and had not been read.
  case lostContent(entity: String, attribute: String)
  /// A relationship that must lead to an object leads to none.
  case missingDestination(entity: String, relationship: String)
  /// An object of one container was related to, inserted into or deleted in a context of another, or one that is unsaved in
  /// another context of the same container.
  case foreignObject(entity: String, identifier: String)
  /// An object was edited, or a relationship was led to it, when its row was deleted already, or was that of a new object with
  /// the same identity. The edit is lost.
  case deletedObject(entity: String, identifier: String)

  /// One sentence that names the class and the property.
  public var description: String {
    switch self {
    case .unknownModel(let name):
      "\(name) is not a model of this container; name it when the container is made."
    case .severalConfigurations(let count):
      "A container has one store, but \(count) configurations were given."
    case .classesOutsideConfiguration(let names):
      "The schema of the configuration lacks classes of the container: \(names.joined(separator: ", "))."
    case .notAFileURL(let url):
      "A store is a folder, but \(url) is not the address of a file."
    case .unreadableValue(let entity, let row, let attribute, let value):
      "\(entity) row \(row) holds a value that \(entity).\(attribute) cannot represent: \(value)."
    case .unencodableValue(let entity, let attribute, let reason):
      "The value of \(entity).\(attribute) could not be encoded: \(reason)"
    case .lostContent(let entity, let attribute):
      "The value of \(entity).\(attribute) was in external storage and is gone with its row; set it before inserting again."
    case .missingDestination(let entity, let relationship):
      "\(entity).\(relationship) must lead to an object, but leads to none."
    case .foreignObject(let entity, let identifier):
      "\(identifier) (\(entity)) belongs to another container, or is unsaved in another context."
    case .deletedObject(let entity, let identifier):
      "\(identifier) (\(entity)) was edited or related to after it had been deleted, or after a new object had taken its row."
    }
  }
}
