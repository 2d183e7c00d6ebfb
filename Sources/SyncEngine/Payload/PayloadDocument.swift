import CSimdjson
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

  private enum Text: Sendable {
    case array([UInt8])
    case data(Data)
  }

  private let text: Text
  private let nodes: [PayloadNode]
  private let scratch: [UInt8]
  private let rows: RowTexts?

  /// Parses a JSON text. The array is shared, not copied.
  ///
  /// - Throws: `PayloadError.malformed` with the place and the fault.
  package init(json: [UInt8], format: PayloadFormat = .json, rowsAt path: PayloadPath? = nil) throws(PayloadError) {
    self = try json.withUnsafeBufferPointer { (bytes) throws(PayloadError) in
      try PayloadDocument(.array(json), bytes, format, rowsAt: path)
    }
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
    let parsed = json.withUnsafeBytes { bytes in
      Result { () throws(PayloadError) in
        try PayloadDocument(.data(json), bytes.assumingMemoryBound(to: UInt8.self), format, rowsAt: path)
      }
    }
    self = try parsed.get()
  }

  private init(
    _ text: Text, _ bytes: UnsafeBufferPointer<UInt8>, _ format: PayloadFormat, rowsAt path: PayloadPath?
  ) throws(PayloadError) {
    var parsed = try JSONParser.parse(bytes, as: format, leavingOutRowsAt: path)
    if let path, let rows = parsed.rows,
      !rows.isFound(at: path, among: parsed.nodes, scratch: parsed.scratch, in: bytes)
    {
      // The array is another one than the path means.
      parsed = try JSONParser.parse(bytes, as: format)
    }
    self.text = text
    (nodes, scratch, rows) = (parsed.nodes, parsed.scratch, parsed.rows)
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
    rows = nil
  }

  /// Calls `body` with the root value. Neither it nor a value reached from it may leave the closure.
  package func read<Result>(_ body: (PayloadValue) throws -> Result) rethrows -> Result {
    switch text {
    case .array(let bytes):
      try bytes.withUnsafeBufferPointer { try read(over: $0, body) }
    case .data(let data):
      try data.withUnsafeBytes { try read(over: $0.assumingMemoryBound(to: UInt8.self), body) }
    }
  }

  /// Calls `body` with the root value, and with what parses the rows if they were left out.
  func readRows<Result>(_ body: (PayloadValue, RowParser?) throws -> Result) rethrows -> Result {
    guard let rows else { return try read { try body($0, nil) } }
    switch text {
    case .array(let bytes): return try bytes.withUnsafeBufferPointer { try read(rows, over: $0, body) }
    case .data(let data):
      return try data.withUnsafeBytes { try read(rows, over: $0.assumingMemoryBound(to: UInt8.self), body) }
    }
  }

  private func read<Result>(
    _ rows: RowTexts, over text: UnsafeBufferPointer<UInt8>, _ body: (PayloadValue, RowParser?) throws -> Result
  ) rethrows -> Result {
    let parser = RowParser(text, rows, nodes: nodes, scratch: scratch)
    return try withExtendedLifetime(parser) { try body(PayloadValue(memory: parser.memory, index: 0), parser) }
  }

  private func read<Result>(
    over text: UnsafeBufferPointer<UInt8>, _ body: (PayloadValue) throws -> Result
  ) rethrows -> Result {
    try PayloadMemory.with(nodes, text, scratch) { try body(PayloadValue(memory: $0, index: 0)) }
  }
}
