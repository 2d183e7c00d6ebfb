import DemoWire

/// One change that a client made while nobody asked the server.
struct UploadOperation {
  enum Kind: String {
    case upsert
    case delete
  }

  enum RowType: String {
    case projects
    case tasks
  }

  /// Why it can't even be read.
  enum Problem: Error {
    case missingOperation
    case unknownOperation(String)
  }

  let kind: Kind
  let type: RowType
  let id: String
  /// When the client made it. The newer of two changes of a row wins.
  let time: Timestamp
  /// The client's name for this change, the same each time that it is sent.
  let key: String?
  /// What an upsert mentions.
  let data: Fields

  private static let keyBytesMax = 128

  init(_ fields: Fields) throws {
    guard let word = try fields.text("operation") else { throw Problem.missingOperation }
    guard let kind = Kind(rawValue: word) else { throw Problem.unknownOperation(word) }
    let typeName = try fields.requiredText("type")
    guard let type = RowType(rawValue: typeName) else {
      throw BackendError.invalid("Rows of type \(typeName) can't be uploaded.")
    }
    guard let id = try fields.identity("id") else { throw BackendError.invalid("id is missing.") }
    guard let time = try fields.time("updatedAt") else { throw BackendError.invalid("updatedAt is missing.") }
    let key = try fields.text("key")
    guard key.map({ !$0.isEmpty && $0.utf8.count <= Self.keyBytesMax }) ?? true else {
      throw BackendError.invalid("key has to have 1 to \(Self.keyBytesMax) bytes.")
    }
    let data = try fields.object("data")
    if kind == .upsert, data == nil { throw BackendError.invalid("data is missing.") }
    self.kind = kind
    self.type = type
    self.id = id
    self.time = time
    self.key = key
    self.data = data ?? Fields([:])
  }
}
