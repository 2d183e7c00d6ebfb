import FoundationEssentials

/// A type that may stand in a native payload besides those that the builder knows.
///
/// Number and null objects of Foundation are such types, and what only the module above knows.
package protocol PayloadConvertible {
  /// Appends exactly one value.
  ///
  /// - Throws: `PayloadError.unsupportedValue` when the value has no form in a payload.
  func append(to builder: inout PayloadBuilder) throws(PayloadError)
}

/// Writes a document value by value, for payloads that are not JSON text.
package struct PayloadBuilder: ~Copyable {
  private(set) var nodes: [PayloadNode] = []
  private(set) var scratch: [UInt8] = []
  private var depth = 0
  /// Where the value that is being appended lies; kept for the error.
  private var path: [PathStep] = []

  private enum PathStep {
    case key(String)
    case index(Int)
  }

  package init() {}

  // MARK: Scalars

  package mutating func appendNull() { nodes.append(.null) }

  /// Appends a truth value; `isNative` tells a `Bool` from the truth value of a number object or of JSON.
  package mutating func append(bool value: Bool, isNative: Bool) {
    nodes.append(PayloadNode(bool: value, isNative: isNative))
  }

  package mutating func append(integer value: some BinaryInteger) throws(PayloadError) {
    try append(.integer, text: value.description)
  }

  /// Appends a number; `isNative` tells a `Double` from a number object.
  package mutating func append(double value: Double, isNative: Bool) throws(PayloadError) {
    try append(isNative || !value.isFinite ? .nativeReal : .real, text: value.description)
  }

  /// Appends a float by its shortest text, so that 0.1 stays 0.1 in a wider type.
  package mutating func append(float value: Float) throws(PayloadError) {
    try append(.nativeReal, text: value.description)
  }

  package mutating func append(decimal value: Decimal) throws(PayloadError) {
    try append(.decimal, text: value.description)
  }

  package mutating func append(string value: String) throws(PayloadError) { try append(.string, text: value) }

  package mutating func append(url value: URL) throws(PayloadError) { try append(.url, text: value.absoluteString) }

  package mutating func append(data value: Data) throws(PayloadError) {
    let offset = scratch.count
    scratch.append(contentsOf: value)
    try appendNode(.data, from: offset)
  }

  package mutating func append(date value: Date) throws(PayloadError) {
    let offset = scratch.count
    withUnsafeBytes(of: value.timeIntervalSinceReferenceDate) { scratch.append(contentsOf: $0) }
    try appendNode(.date, from: offset)
  }

  package mutating func append(uuid value: UUID) throws(PayloadError) {
    let offset = scratch.count
    withUnsafeBytes(of: value.uuid) { scratch.append(contentsOf: $0) }
    try appendNode(.uuid, from: offset)
  }

  // MARK: Containers

  /// Appends an object of members.
  package mutating func append(object members: [String: Any]) throws(PayloadError) {
    let start = try open(.object)
    for (key, value) in members {
      path.append(.key(key))
      try append(string: key)
      try append(value)
      path.removeLast()
    }
    try close(start, count: members.count)
  }

  /// Appends an array of values.
  package mutating func append(array values: some Collection<Any>) throws(PayloadError) {
    let start = try open(.array)
    var index = 0
    for value in values {
      path.append(.index(index))
      try append(value)
      path.removeLast()
      index += 1
    }
    try close(start, count: index)
  }

  // MARK: Any value

  /// Appends a value whose type is known at run time only.
  ///
  /// The type is compared, not cast to: a cast of a number object to `Bool` or `Int` succeeds whenever the value fits, and
  /// would lose what the object was.
  ///
  /// - Throws: `PayloadError.unsupportedValue` with the path of a value that has no form in a payload.
  package mutating func append(_ value: Any) throws(PayloadError) {
    let type = Swift.type(of: value)
    if type == String.self, let value = value as? String { return try append(string: value) }
    if type == Int.self, let value = value as? Int { return try append(integer: value) }
    if type == Bool.self, let value = value as? Bool { return append(bool: value, isNative: true) }
    if type == Double.self, let value = value as? Double { return try append(double: value, isNative: true) }
    if let value = value as? any PayloadConvertible { return try value.append(to: &self) }
    switch value {
    // Optionals of these are of another type than above.
    case let value as String: try append(string: value)
    case let value as Bool: append(bool: value, isNative: true)
    case let value as Double: try append(double: value, isNative: true)
    case let value as [String: Any]: try append(object: value)
    case let value as [Any]: try append(array: value)
    case let value as any BinaryInteger: try append(integer: value)
    case let value as Float: try append(float: value)
    case let value as Decimal: try append(decimal: value)
    case let value as Date: try append(date: value)
    case let value as UUID: try append(uuid: value)
    case let value as URL: try append(url: value)
    case let value as Data: try append(data: value)
    case Optional<Any>.none: appendNull()
    default: throw unsupported(value)
    }
  }

  /// The error for a value without a form in a payload, with the path of the value that is being appended.
  package func unsupported(_ value: Any) -> PayloadError {
    let path = path.map { step in
      switch step {
      case .key(let key): ".\(key)"
      case .index(let index): "[\(index)]"
      }
    }
    return .unsupportedValue(path: path.joined(), type: String(reflecting: type(of: value)))
  }

  private mutating func append(_ kind: PayloadKind, text: String) throws(PayloadError) {
    let offset = scratch.count
    scratch.append(contentsOf: text.utf8)
    try appendNode(kind, from: offset)
  }

  private mutating func appendNode(_ kind: PayloadKind, from offset: Int) throws(PayloadError) {
    let length = scratch.count - offset
    guard length <= PayloadNode.lengthMax else { throw .tooLarge(limit: "128 MiB in one string") }
    guard offset <= PayloadNode.offsetMax else { throw .tooLarge(limit: "4 GiB of text") }
    nodes.append(PayloadNode(kind, inScratch: true, offset: offset, length: length))
  }

  private mutating func open(_ kind: PayloadKind) throws(PayloadError) -> Int {
    guard depth < PayloadDocument.depthMax else { throw .tooDeep(depthMax: PayloadDocument.depthMax) }
    depth += 1
    nodes.append(PayloadNode(open: kind))
    return nodes.count - 1
  }

  private mutating func close(_ start: Int, count: Int) throws(PayloadError) {
    depth -= 1
    guard count <= PayloadNode.countMax else {
      throw .tooLarge(limit: "\(PayloadNode.countMax) values in one array or object")
    }
    guard nodes.count <= PayloadNode.offsetMax else { throw .tooLarge(limit: "\(PayloadNode.offsetMax) values") }
    nodes[start].close(count: count, end: nodes.count)
  }
}
