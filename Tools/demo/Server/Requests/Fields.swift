import Foundation
import SwiftSync

/// The members of a JSON object that a client sent, read with the care that this needs: each is absent, null, or a value that must be
/// of the right kind.
struct Fields {
  private let members: [String: SyncJSON]

  init(_ members: [String: SyncJSON]) {
    self.members = members
  }

  /// Reads a body.
  init(body: Data) throws {
    let value: Any
    do {
      value = try JSONSerialization.jsonObject(with: body)
    } catch {
      throw BackendError.noObject(reason: "it is no JSON")
    }
    guard case .object(let members) = try? SyncJSON(value) else {
      throw BackendError.noObject(reason: "it is another kind of value")
    }
    self.members = members
  }

  func has(_ key: String) -> Bool { members[key] != nil }

  /// A text; nil if it is absent or null.
  func text(_ key: String) throws -> String? { try nullableText(key) ?? nil }

  func requiredText(_ key: String) throws -> String {
    guard let text = try text(key) else { throw BackendError.invalid("\(key) is missing.") }
    return text
  }

  /// A text or null; nil if it is absent.
  func nullableText(_ key: String) throws -> String?? {
    switch members[key] {
    case nil: nil
    case .null: .some(nil)
    case .string(let text): text
    default: throw BackendError.invalid("\(key) has to be a text.")
    }
  }

  /// A whole number; nil if it is absent or null.
  func number(_ key: String) throws -> Int? {
    switch members[key] {
    case nil, .null: nil
    case .int(let number): number
    default: throw BackendError.invalid("\(key) has to be a whole number.")
    }
  }

  /// An object; nil if it is absent or null.
  func object(_ key: String) throws -> Fields? {
    switch members[key] {
    case nil, .null: nil
    case .object(let members): Fields(members)
    default: throw BackendError.invalid("\(key) has to be an object.")
    }
  }

  /// The objects in an array; nil if it is absent or null.
  func objects(_ key: String) throws -> [Fields]? {
    try elements(key)?.map {
      guard case .object(let members) = $0 else { throw BackendError.invalid("\(key) has to be an array of objects.") }
      return Fields(members)
    }
  }

  /// The texts in an array, each once and in order; nil if it is absent or null.
  func texts(_ key: String) throws -> [String]? {
    let texts = try elements(key)?.map {
      guard case .string(let text) = $0 else { throw BackendError.invalid("\(key) has to be an array of texts.") }
      return text
    }
    return texts.map { Set($0).sorted() }
  }

  /// The elements of an array as far as they are objects, nil for the others.
  func elements(_ key: String, countMax: Int) throws -> [Fields?] {
    guard let elements = try elements(key) else { throw BackendError.invalid("\(key) is missing.") }
    guard elements.count <= countMax else {
      throw BackendError.invalid("\(key) has \(elements.count) elements; \(countMax) are taken at once.")
    }
    return elements.map { if case .object(let members) = $0 { Fields(members) } else { nil } }
  }

  private func elements(_ key: String) throws -> [SyncJSON]? {
    switch members[key] {
    case nil, .null: nil
    case .array(let elements): elements
    default: throw BackendError.invalid("\(key) has to be an array.")
    }
  }
}
