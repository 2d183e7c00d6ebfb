/// Finds the values of one payload object after another by the keys of a plan.
///
/// Objects of one payload mostly have the same keys in the same order. So the reader remembers which key stood at which
/// place of the object before, and compares that first; it searches only where the guess is wrong.
///
/// A class, so that the many places that read through one need not have it to themselves each time.
final class RowReader {
  private let table: KeyTable
  private let values: UnsafeMutablePointer<UInt32>
  /// The values whose keys the object had before: those that count, in the order of the object.
  private(set) var repetitions: [Int] = []
  private var guesses: [Guess] = []

  private struct Guess {
    /// The key where it stood.
    let key: UnsafeBufferPointer<UInt8>
    /// -1 for a key that the plan doesn't look for.
    let ordinal: KeyTable.Ordinal
  }

  /// A reader for objects whose memory is there as long as the reader, or is forgotten before it goes.
  init(_ table: KeyTable) {
    self.table = table
    values = .allocate(capacity: table.count + 1)
  }

  deinit { values.deallocate() }

  /// Finds the values of an object. What is returned is valid until the next call.
  func read(_ object: PayloadValue) -> RowValues {
    read(object, into: values)
    return RowValues(memory: object.memory, nodes: UnsafePointer(values))
  }

  /// Writes the places of an object's values, by ordinal. Of several members with one key the last counts.
  func read(_ object: PayloadValue, into values: UnsafeMutablePointer<UInt32>) {
    if !repetitions.isEmpty { repetitions.removeAll(keepingCapacity: true) }
    values.update(repeating: 0, count: table.count)
    // Taken out, so that each look at it is not one at the object.
    var guesses: [Guess] = []
    swap(&guesses, &self.guesses)
    var place = 0
    for (key, value) in object.members {
      let ordinal: KeyTable.Ordinal
      let bytes = key.bytes
      if place < guesses.count, guesses[place].key.isEqual(to: bytes) {
        ordinal = guesses[place].ordinal
      } else {
        ordinal = table.ordinal(of: bytes) ?? -1
        let guess = Guess(key: bytes, ordinal: ordinal)
        if place < guesses.count { guesses[place] = guess } else { guesses.append(guess) }
      }
      if ordinal >= 0 {
        if values[ordinal] > 0 { repetitions.append(value.index) }
        values[ordinal] = UInt32(truncatingIfNeeded: value.index)
        if table.hasForms {
          for form in table.related(to: ordinal) { values[form] = UInt32(truncatingIfNeeded: value.index) }
        }
      }
      place += 1
    }
    swap(&guesses, &self.guesses)
  }

  /// Forgets the keys of the objects so far, whose memory may be gone.
  func forget() { guesses.removeAll(keepingCapacity: true) }
}
