/// A payload object with the places of its values by the keys of a plan: a few words, valid as long as the memory that they
/// point to.
struct RowValues {
  let memory: PayloadMemory
  /// By ordinal: the index of the value's node, 0 if the object lacks the key. No value of an object has index 0.
  let nodes: UnsafePointer<UInt32>

  /// The value under a key, null included. A dotted key that isn't there as it is leads into nested objects; where one of
  /// them is missing, null or no object, the key is absent.
  @inline(__always)
  func value(_ candidate: KeyCandidate) -> PayloadValue? {
    if let literal = value(candidate.literal) { return literal }
    guard let path = candidate.path else { return nil }
    var value = value(path.head)
    for segment in path.rest {
      value = segment.withUnsafeBufferPointer { value?.member($0) }
    }
    return value
  }

  /// The values that lie behind the first segment of a dotted key and whose keys their objects had before.
  func repetitions(behindHeadOf candidate: KeyCandidate) -> [PayloadValue] {
    guard let path = candidate.path, value(candidate.literal) == nil else { return [] }
    var repeated: [PayloadValue] = []
    var object = value(path.head)
    for segment in path.rest {
      var found: PayloadValue?
      segment.withUnsafeBufferPointer { segment in
        guard let members = object?.members else { return }
        for (key, value) in members where key.bytes.isEqual(to: segment) {
          if found != nil { repeated.append(value) }
          found = value
        }
      }
      object = found
    }
    return repeated
  }

  @inline(__always)
  private func value(_ ordinal: KeyTable.Ordinal) -> PayloadValue? {
    let index = nodes[ordinal]
    return index > 0 ? PayloadValue(memory: memory, index: Int(index)) : nil
  }
}
