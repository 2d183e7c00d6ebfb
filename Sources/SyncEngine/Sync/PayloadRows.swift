/// The objects of a payload that are rows, and where they stand in it.
struct PayloadRows {
  let values: [PayloadValue]
  /// Whether they are all rows of the scope, and not a single one beside which there may be others.
  let isCollection: Bool
  /// Where all values of the document lie.
  let memory: PayloadMemory
  /// The JSON pointer to the value that the rows are, or are in.
  let pointer: String

  /// Finds the rows of a request.
  ///
  /// - Throws: `SyncError.invalidPayload` where there are none, or something else.
  init(of request: SyncRequest, in root: PayloadValue) throws {
    let (value, pointer): (PayloadValue, String)
    do {
      (value, pointer) = try request.path.find(in: root)
    } catch {
      throw SyncError.invalidPayload(model: request.entity, reason: "\(error)")
    }
    self.pointer = pointer
    memory = root.memory
    isCollection =
      switch request.form {
      case .collection: true
      case .item: false
      case .collectionOrItem: value.kind == .array
      }
    guard isCollection else {
      guard value.kind == .object else { throw Self.unexpected("a dictionary", request) }
      values = [value]
      return
    }
    let elements = value.kind == .array ? Array(value.elements) : nil
    guard let elements, elements.allSatisfy({ $0.kind == .object }) else {
      throw Self.unexpected("array of dictionaries", request)
    }
    values = elements
  }

  /// The JSON pointer (RFC 6901) to a row, or to a value inside of it.
  func pointer(toRow row: Int, node: Int? = nil) -> String {
    var pointer = isCollection ? "\(pointer)/\(row)" : pointer
    if let node, row < values.count { values[row].appendPointer(toNode: node, to: &pointer) }
    return pointer
  }

  private static func unexpected(_ expected: String, _ request: SyncRequest) -> SyncError {
    let place = request.path.isEmpty ? "" : " at \(request.path)"
    return .invalidPayload(model: request.entity, reason: "Expected \(expected)\(place)")
  }
}
