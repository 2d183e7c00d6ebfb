/// Finds the values of one payload object after another by the keys of a plan.
///
/// Objects of one payload mostly have the same keys in the same order. So the reader remembers which key stood at which
/// place of the object before, and compares that first; it searches only where the guess is wrong.
///
/// A class, so that the many places that read through one need not have it to themselves each time.
final class RowReader {
  private let table: KeyTable
  /// By ordinal: the index of the value's node, 0 if the object lacks the key. No value of an object has index 0.
  private var values: [Int]
  /// The values whose keys the object had before: those that count, in the order of the object.
  private(set) var repetitions: [PayloadValue] = []
  private var guesses: [Guess] = []
  private var memory: PayloadMemory?

  private struct Guess {
    /// The key in the document, which outlives the reader.
    let key: UnsafeBufferPointer<UInt8>
    /// -1 for a key that the plan doesn't look for.
    let ordinal: KeyTable.Ordinal
  }

  /// A reader for objects of one document, to be used inside of its `read`.
  init(_ table: KeyTable) {
    self.table = table
    values = [Int](repeating: 0, count: table.count)
  }

  /// Makes an object the one whose values are asked for. Of several members with one key the last counts.
  func read(_ object: PayloadValue) {
    memory = object.memory
    if !repetitions.isEmpty { repetitions.removeAll(keepingCapacity: true) }
    for ordinal in values.indices { values[ordinal] = 0 }
    var place = 0
    for (key, value) in object.members {
      let ordinal = ordinal(of: key.bytes, at: place)
      if ordinal >= 0 {
        if values[ordinal] > 0 { repetitions.append(value) }
        values[ordinal] = value.index
      }
      place += 1
    }
  }

  @inline(__always)
  private func ordinal(of key: UnsafeBufferPointer<UInt8>, at place: Int) -> KeyTable.Ordinal {
    if place < guesses.count, guesses[place].key.isEqual(to: key) { return guesses[place].ordinal }
    let guess = Guess(key: key, ordinal: table.ordinal(of: key) ?? -1)
    if place < guesses.count {
      guesses[place] = guess
    } else {
      guesses.append(guess)
    }
    return guess.ordinal
  }

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

  @inline(__always)
  private func value(_ ordinal: KeyTable.Ordinal) -> PayloadValue? {
    let index = values[ordinal]
    guard index > 0, let memory else { return nil }
    return PayloadValue(memory: memory, index: index)
  }
}
