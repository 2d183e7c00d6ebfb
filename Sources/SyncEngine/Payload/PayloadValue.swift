import CSimdjson

/// Where the nodes and bytes of a document lie while it is being read.
struct PayloadMemory {
  let nodes: UnsafePointer<PayloadNode>
  let text: UnsafePointer<UInt8>
  let scratch: UnsafePointer<UInt8>

  /// Runs a closure on the memory of a document.
  static func with<Result>(
    _ nodes: [PayloadNode], _ text: UnsafeBufferPointer<UInt8>, _ scratch: [UInt8],
    _ body: (PayloadMemory) throws -> Result
  ) rethrows -> Result {
    try nodes.withUnsafeBufferPointer { nodes in
      try scratch.withUnsafeBufferPointer { scratch in
        try withUnsafePointer(to: PayloadNode.null) { null in
          // An empty buffer has no address. No node refers to it then, so any address will do.
          let anyBytes = UnsafeRawPointer(null).assumingMemoryBound(to: UInt8.self)
          return try body(
            PayloadMemory(
              nodes: nodes.baseAddress ?? null, text: text.baseAddress ?? anyBytes,
              scratch: scratch.baseAddress ?? anyBytes))
        }
      }
    }
  }
}

/// A view of one value of a document: a few words, no copies, no reference counting.
///
/// It points into the document's memory and is valid only inside the closure of `PayloadDocument.read`.
package struct PayloadValue {
  let memory: PayloadMemory
  /// The index of the value's node.
  let index: Int

  @inline(__always)
  init(memory: PayloadMemory, index: Int) {
    self.memory = memory
    self.index = index
  }

  @inline(__always)
  var node: PayloadNode { memory.nodes[index] }

  @inline(__always)
  package var kind: PayloadKind { node.kind }

  package var isNull: Bool { kind == .null }

  /// Whether it is `true`; false for everything that isn't a bool.
  package var isTrue: Bool { kind == .bool && node.offset == 1 }

  /// Whether a bool came from a native `Bool` instead of JSON or a number object.
  package var isNativeBool: Bool { kind == .bool && node.flag }

  /// The bytes of a scalar: the UTF-8 of a string, URL or number, the bytes of data, a date's double, a UUID. Empty for
  /// the other kinds.
  @inline(__always)
  package var bytes: UnsafeBufferPointer<UInt8> {
    let node = node
    switch node.kind {
    case .null, .bool, .object, .array: return UnsafeBufferPointer(start: nil, count: 0)
    default:
      let base = node.flag ? memory.scratch : memory.text
      return UnsafeBufferPointer(start: base + node.offset, count: node.length)
    }
  }

  /// The text of a scalar that has one.
  package var string: String { String(decoding: bytes, as: UTF8.self) }

  /// Seconds since the reference date, of a native date.
  package var dateSeconds: Double {
    kind == .date ? UnsafeRawPointer(memory.scratch + node.offset).loadUnaligned(as: Double.self) : 0
  }

  /// The number of members or elements; 0 for scalars.
  package var count: Int { node.isContainer ? node.count : 0 }

  /// The index of the node behind this value.
  @inline(__always)
  var end: Int {
    let node = node
    return node.isContainer ? node.end : index + 1
  }

  /// The elements of an array; none for everything else.
  package var elements: PayloadElements {
    PayloadElements(memory: memory, position: index + 1, end: kind == .array ? node.end : index + 1)
  }

  /// The element of an array at a position, nil if there is none.
  func element(_ position: Int) -> PayloadValue? {
    guard 0..<count ~= position else { return nil }
    return elements.dropFirst(position).first { _ in true }
  }

  /// The members of an object in the order of the text, duplicates included; none for everything else.
  @inline(__always)
  package var members: PayloadMembers {
    PayloadMembers(memory: memory, position: index + 1, end: kind == .object ? node.end : index + 1)
  }

  /// The value of the member with a key; of several, the last.
  package func member(_ key: UnsafeBufferPointer<UInt8>) -> PayloadValue? {
    var found: PayloadValue?
    for (name, value) in members where name.bytes.isEqual(to: key) { found = value }
    return found
  }

  /// The value of the member with a key; of several, the last.
  package func member(_ key: String) -> PayloadValue? {
    var key = key
    return key.withUTF8 { member($0) }
  }
}

/// The elements of an array.
package struct PayloadElements: Sequence, IteratorProtocol {
  let memory: PayloadMemory
  var position: Int
  let end: Int

  @inline(__always)
  package mutating func next() -> PayloadValue? {
    guard position < end else { return nil }
    let value = PayloadValue(memory: memory, index: position)
    position = value.end
    return value
  }
}

/// The members of an object: pairs of a string value and the member's value.
package struct PayloadMembers: Sequence, IteratorProtocol {
  let memory: PayloadMemory
  var position: Int
  let end: Int

  @inline(__always)
  package mutating func next() -> (key: PayloadValue, value: PayloadValue)? {
    guard position < end else { return nil }
    let value = PayloadValue(memory: memory, index: position + 1)
    let key = PayloadValue(memory: memory, index: position)
    position = value.end
    return (key, value)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether the bytes are the same.
  @inline(__always)
  func isEqual(to other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == other.count else { return false }
    guard let left = baseAddress.map(UnsafeRawPointer.init), let right = other.baseAddress.map(UnsafeRawPointer.init)
    else { return true }
    // Most are keys of these lengths, for which two words that overlap say it faster than a call.
    if 8...16 ~= count { return hasSameEnds(UInt64.self, left, right) }
    if 17...32 ~= count { return hasSameEnds(SIMD2<UInt64>.self, left, right) }
    if count < 8 {
      var offset = 0
      while offset < count {
        if left.load(fromByteOffset: offset, as: UInt8.self) != right.load(fromByteOffset: offset, as: UInt8.self) {
          return false
        }
        offset += 1
      }
      return true
    }
    return memcmp(left, right, count) == 0
  }

  /// Whether the first and the last bytes are the same, as many as a word has.
  @inline(__always)
  private func hasSameEnds<Word: Equatable & BitwiseCopyable>(
    _ word: Word.Type, _ left: UnsafeRawPointer, _ right: UnsafeRawPointer
  ) -> Bool {
    let last = count - MemoryLayout<Word>.size
    return left.loadUnaligned(as: Word.self) == right.loadUnaligned(as: Word.self)
      && left.loadUnaligned(fromByteOffset: last, as: Word.self)
        == right.loadUnaligned(fromByteOffset: last, as: Word.self)
  }

  /// Negative, zero or positive, as the bytes sort before, like or after others.
  func compare(to other: UnsafeBufferPointer<UInt8>) -> Int {
    if let left = baseAddress, let right = other.baseAddress {
      let order = memcmp(left, right, Swift.min(count, other.count))
      if order != 0 { return Int(order) }
    }
    return count - other.count
  }
}
