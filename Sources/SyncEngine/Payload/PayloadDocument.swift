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

  /// Parses a JSON text. The array is shared, not copied.
  ///
  /// - Throws: `PayloadError.malformed` with the place and the fault.
  package init(json: [UInt8], format: PayloadFormat = .json) throws(PayloadError) {
    (nodes, scratch) = try json.withUnsafeBufferPointer { (bytes) throws(PayloadError) in
      try JSONParser.parse(bytes, as: format)
    }
    text = .array(json)
  }

  /// Parses a JSON text. The data is shared, not copied.
  ///
  /// - Throws: `PayloadError.malformed` with the place and the fault.
  package init(json: Data, format: PayloadFormat = .json) throws(PayloadError) {
    let parsed = json.withUnsafeBytes { bytes in
      Result { () throws(PayloadError) in
        try JSONParser.parse(bytes.assumingMemoryBound(to: UInt8.self), as: format)
      }
    }
    (nodes, scratch) = try parsed.get()
    text = .data(json)
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

  private func read<Result>(
    over text: UnsafeBufferPointer<UInt8>, _ body: (PayloadValue) throws -> Result
  ) rethrows -> Result {
    try nodes.withUnsafeBufferPointer { nodes in
      try scratch.withUnsafeBufferPointer { scratch in
        try withUnsafePointer(to: PayloadNode.null) { null in
          // An empty buffer has no address. No node refers to it then, so any address will do.
          let anyBytes = UnsafeRawPointer(null).assumingMemoryBound(to: UInt8.self)
          let memory = PayloadMemory(
            nodes: nodes.baseAddress ?? null, text: text.baseAddress ?? anyBytes,
            scratch: scratch.baseAddress ?? anyBytes)
          return try body(PayloadValue(memory: memory, index: 0))
        }
      }
    }
  }
}
