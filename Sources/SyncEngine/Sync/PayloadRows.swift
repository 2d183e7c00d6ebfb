/// The objects of a payload that are rows, and where they stand in it.
struct PayloadRows {
  private enum Source {
    case values([PayloadValue])
    /// Parsed one by one.
    case texts(RowParser)
  }

  private let source: Source
  private let entity: String
  /// Whether they are all rows of the scope, and not a single one beside which there may be others.
  let isCollection: Bool
  /// Where all values of the document lie.
  let memory: PayloadMemory
  /// The JSON pointer to the value that the rows are, or are in.
  let pointer: String

  /// Finds the rows of a request.
  ///
  /// - Throws: `SyncError.invalidPayload` where there are none, or something else.
  init(of request: SyncRequest, in root: PayloadValue, parser: RowParser? = nil) throws {
    let (value, pointer): (PayloadValue, String)
    do {
      (value, pointer) = try request.path.find(in: root)
    } catch {
      throw SyncError.invalidPayload(model: request.entity, reason: "\(error)")
    }
    self.pointer = pointer
    memory = root.memory
    entity = request.entity
    isCollection =
      switch request.form {
      case .collection: true
      case .item: false
      case .collectionOrItem: value.kind == .array
      }
    guard isCollection else {
      guard value.kind == .object else { throw Self.unexpected("a dictionary", request) }
      source = .values([value])
      return
    }
    if let parser, value.index == parser.texts.arrayNode {
      source = .texts(parser)
      return
    }
    let elements = value.kind == .array ? Array(value.elements) : nil
    guard let elements, elements.allSatisfy({ $0.kind == .object }) else {
      throw Self.unexpected("array of dictionaries", request)
    }
    source = .values(elements)
  }

  var count: Int {
    switch source {
    case .values(let values): values.count
    case .texts(let parser): parser.texts.spans.count
    }
  }

  /// The object of a row.
  ///
  /// - Throws: `SyncError.invalidPayload` if the row is parsed only now, and malformed.
  func value(_ row: Int) throws -> PayloadValue {
    switch source {
    case .values(let values): return values[row]
    case .texts(let parser):
      do {
        return try parser.value(ofRow: row)
      } catch {
        throw SyncError.invalidPayload(model: entity, reason: "\(error)")
      }
    }
  }

  /// Whether the rows' texts are known.
  var haveTexts: Bool {
    if case .texts = source { true } else { false }
  }

  /// The text of a row; nil if there is none, or it is not known.
  func text(_ row: Int) -> UnsafeRawBufferPointer? {
    switch source {
    case .values: nil
    case .texts(let parser): parser.text(ofRow: row)
    }
  }

  /// The JSON pointer (RFC 6901) to a row, or to a value inside of it.
  func pointer(toRow row: Int, node: Int? = nil) -> String {
    var pointer = isCollection ? "\(pointer)/\(row)" : pointer
    // Whoever has a node of the row has parsed it.
    if let node, row < count, let value = try? value(row) { value.appendPointer(toNode: node, to: &pointer) }
    return pointer
  }

  private static func unexpected(_ expected: String, _ request: SyncRequest) -> SyncError {
    let place = request.path.isEmpty ? "" : " at \(request.path)"
    return .invalidPayload(model: request.entity, reason: "Expected \(expected)\(place)")
  }
}
