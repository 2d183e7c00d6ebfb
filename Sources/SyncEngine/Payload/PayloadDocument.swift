import FoundationEssentials

/// What the text of a payload consists of.
public enum PayloadFormat: Sendable, Hashable {
  /// One JSON value.
  case json
  /// Newline-delimited JSON: every line that isn't blank is a value. All of them together are what an array of them would be.
  case ndjson
}

/// A payload, parsed: an immutable tree of values in one flat array of nodes.
///
/// JSON stays where it is: strings without escapes and numbers are ranges of the text, which the document keeps. So a
/// document costs its text and about a third of that again, whatever it holds. Documents are read through `PayloadValue`
/// views, which exist only inside `read`.
package struct PayloadDocument: Sendable {
  /// Containers may lie in each other as deep as this. It bounds the work that a hostile text can cause in code that
  /// walks a document recursively.
  package static let depthMax = 512

  private let text: PayloadText
  private let nodes: [PayloadNode]
  private let scratch: [UInt8]
  /// Where the rows are, if they were left out.
  private let outline: RowOutline?

  /// Parses a JSON text. The array is shared, not copied.
  ///
  /// - Throws: `PayloadError.malformed` with the place and the fault.
  package init(json: [UInt8], format: PayloadFormat = .json, rowsAt path: PayloadPath? = nil) throws(PayloadError) {
    try self.init(.array(json), format, rowsAt: path)
  }

  /// Parses a JSON text. The data is shared, not copied.
  ///
  /// - Parameters:
  ///   - json: The text.
  ///   - format: What it consists of.
  ///   - path: Where the rows are, if the document is made for a sync: they are then parsed when they are asked for, which
  ///     `readRows` allows and `read` doesn't.
  /// - Throws: `PayloadError.malformed` with the place and the fault.
  package init(json: Data, format: PayloadFormat = .json, rowsAt path: PayloadPath? = nil) throws(PayloadError) {
    try self.init(.data(json), format, rowsAt: path)
  }

  /// Parses a JSON text, wherever it lies.
  ///
  /// - Throws: `PayloadError.malformed` with the place and the fault.
  package init(_ text: PayloadText, _ format: PayloadFormat, rowsAt path: PayloadPath?) throws(PayloadError) {
    try self.init(text, format, rowsAt: path, windowBytes: RowOutline.windowBytes)
  }

  /// Like the one before, with as much text in a window as `windowBytes` says.
  init(
    _ text: PayloadText, _ format: PayloadFormat, rowsAt path: PayloadPath?, windowBytes: Int
  ) throws(PayloadError) {
    let text = text.fixed
    self.text = text
    if let path, path.isEmpty {
      let outline =
        switch format {
        case .json: RowOutline(array: text, windowBytes: windowBytes)
        case .ndjson: RowOutline(lines: text, windowBytes: windowBytes)
        }
      if let outline, outline.rowCount <= PayloadNode.countMax {
        var root = PayloadNode(open: .array)
        root.close(count: outline.rowCount, end: 1)
        (nodes, scratch, self.outline) = ([root], [], outline)
        return
      }
    }
    (nodes, scratch, outline) = try text.withBytes { (bytes) throws(PayloadError) in
      let index = try TokenIndex(bytes, as: format)
      // The tokens are its memory.
      defer { withExtendedLifetime(index) {} }
      if format == .json, let path,
        let envelope = try Envelope(bytes, index.tokens, rowsAt: path, windowBytes: windowBytes)
      {
        return (envelope.nodes, envelope.scratch, envelope.outline)
      }
      let parsed = try JSONParser.parse(bytes, index.tokens, as: format)
      return (parsed.nodes, parsed.scratch, nil)
    }
  }

  /// Makes a document of native values: dictionaries with string keys, arrays, and the scalars that `PayloadBuilder`
  /// knows.
  ///
  /// - Throws: `PayloadError.unsupportedValue` with the path of a value that has no place in a payload.
  package init(_ value: Any) throws(PayloadError) {
    var builder = PayloadBuilder()
    try builder.append(value)
    self.init(builder)
  }

  init(_ builder: consuming PayloadBuilder) {
    nodes = builder.nodes
    scratch = builder.scratch
    text = .array([])
    outline = nil
  }

  /// Calls `body` with the root value. Neither it nor a value reached from it may leave the closure.
  package func read<Result>(_ body: (PayloadValue) throws -> Result) rethrows -> Result {
    try text.withBytes { text in
      try PayloadMemory.with(nodes, text, scratch) { try body(PayloadValue(memory: $0, index: 0)) }
    }
  }

  /// Calls `body` with the root value, and with the text of the rows if they were left out.
  func readRows<Result>(_ body: (PayloadValue, RowSource?) throws -> Result) rethrows -> Result {
    try read { try body($0, outline.map { RowSource(text: text, outline: $0) }) }
  }
}

/// Rows that have not been parsed: their text, and where they are in it.
struct RowSource: Sendable {
  let text: PayloadText
  var outline: RowOutline
}
