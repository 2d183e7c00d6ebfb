/// Why a payload could not be read.
package enum PayloadError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The bytes are not a JSON text; `offset` is the byte where that shows.
  case malformed(offset: Int, fault: JSONFault)
  /// The same for text of which every line is a value; the first line is 1.
  case malformedLine(Int, offset: Int, fault: JSONFault)
  /// A native payload holds a value of a type that payloads can't hold, at the path `path` (such as `[3].owner.name`).
  case unsupportedValue(path: String, type: String)
  /// Containers lie in each other deeper than `depthMax`.
  case tooDeep(depthMax: Int)
  /// One string or number is longer, one container has more members, or the whole is larger than a document can hold.
  case tooLarge(limit: String)
  /// There is no memory for the document.
  case noMemory

  package var description: String {
    switch self {
    case .malformed(let offset, let fault): "malformed JSON at byte \(offset): \(fault)"
    case .malformedLine(let line, let offset, let fault): "malformed JSON in line \(line), at byte \(offset): \(fault)"
    case .unsupportedValue(let path, let type):
      "a payload can't hold a value of type \(type)\(path.isEmpty ? "" : " (at \(path))")"
    case .tooDeep(let depthMax): "the payload is nested deeper than \(depthMax) levels"
    case .tooLarge(let limit): "the payload is too large: \(limit)"
    case .noMemory: "there is not enough memory for the payload"
    }
  }
}

extension PayloadError {
  /// The error with the line in which it is, for a text of lines.
  func inLine(of text: UnsafeBufferPointer<UInt8>) -> PayloadError {
    guard case .malformed(let offset, let fault) = self else { return self }
    let line = text.prefix(offset).reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
    return .malformedLine(line, offset: offset, fault: fault)
  }
}

/// What is wrong with a JSON text at the place that `PayloadError.malformed` names.
package enum JSONFault: Sendable, Equatable, CustomStringConvertible {
  case emptyText
  case unexpectedEnd
  /// A token stands where it can't; `expected` says what can.
  case unexpected(expected: String)
  case unclosedString
  case controlCharacterInString(UInt8)
  case invalidEscape
  /// `\uD800` to `\uDFFF` without its other half.
  case loneSurrogate
  case invalidNumber
  case invalidUTF8
  case textAfterDocument

  package var description: String {
    switch self {
    case .emptyText: "the text is empty"
    case .unexpectedEnd: "the text ends too early"
    case .unexpected(let expected): "expected \(expected)"
    case .unclosedString: "the string that begins here is not closed"
    case .controlCharacterInString(let byte): "a control character (\(byte)) in a string must be escaped"
    case .invalidEscape: "not a valid escape sequence"
    case .loneSurrogate: "half a character: a surrogate without its other half"
    case .invalidNumber: "not a valid number"
    case .invalidUTF8: "not valid UTF-8"
    case .textAfterDocument: "there is more text behind the end of the document"
    }
  }
}
