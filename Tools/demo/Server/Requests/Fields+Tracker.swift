import DemoWire
import Foundation

// Values that have the same rules wherever they stand.
extension Fields {
  private static let identityBytesMax = 128
  private static let titleCharactersMax = 80

  func identity(_ key: String) throws -> String? {
    guard let id = try text(key) else { return nil }
    guard !id.isEmpty, id.utf8.count <= Self.identityBytesMax else {
      throw BackendError.invalid("\(key) has to have 1 to \(Self.identityBytesMax) bytes.")
    }
    return id
  }

  /// A moment; nil if it is absent or null.
  func time(_ key: String) throws -> Timestamp? {
    guard let text = try text(key) else { return nil }
    guard let time = Timestamp(text) else {
      throw BackendError.invalid("\(key) has to be a moment such as 2025-01-01T00:00:00.000Z.")
    }
    return time
  }

  /// A title or name without the blanks around it; nil if it is absent.
  func title(_ key: String) throws -> String? {
    guard let text = try nullableText(key) else { return nil }
    let title = (text ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    guard !title.isEmpty else { throw BackendError.invalid("\(key) must not be empty.") }
    guard title.count <= Self.titleCharactersMax else {
      throw BackendError.invalid("\(key) has to be \(Self.titleCharactersMax) characters or fewer.")
    }
    return title
  }

  /// The state of a task, `{"state": {"id": "todo"}}`; nil if it is absent.
  func state() throws -> TaskState? {
    guard let state = try object("state") else { return nil }
    let id = try state.requiredText("id")
    guard let known = TaskState(rawValue: id) else { throw BackendError.unknownReference(key: "state.id", id: id) }
    return known
  }
}
