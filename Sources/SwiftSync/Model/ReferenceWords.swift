import Glibc

/// The objects of a list as words, which are compared without generic code and reference counts. An object of a class is
/// one word in an array.
///
/// The words of two lists can be compared as long as both lists hold their objects: until then no object is in the place of
/// another one that is gone.
func withReferences<Related: PersistentModel, Result>(
  of list: ArraySlice<Related>, _ body: (UnsafeBufferPointer<UInt>) -> Result
) -> Result {
  list.withUnsafeBufferPointer { $0.withMemoryRebound(to: UInt.self, body) }
}

/// How many objects two lists have in common at the beginning and, of the rest, at the end.
func commonEnds<Related: PersistentModel>(_ old: [Related], _ new: [Related]) -> (start: Int, end: Int) {
  withReferences(of: old[...]) { old in
    withReferences(of: new[...]) { new in
      let count = min(old.count, new.count)
      var start = 0
      while start + blockCount <= count, areBlocksEqual(old, start, new, start) { start += blockCount }
      while start < count, old[start] == new[start] { start += 1 }
      var end = 0
      while end + blockCount <= count - start,
        areBlocksEqual(old, old.count - end - blockCount, new, new.count - end - blockCount)
      {
        end += blockCount
      }
      while end < count - start, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
      return (start, end)
    }
  }
}

/// How many words are compared by one call, which is as fast as reading them. In a block that differs they are looked at singly.
private let blockCount = 256

private func areBlocksEqual(
  _ old: UnsafeBufferPointer<UInt>, _ oldStart: Int, _ new: UnsafeBufferPointer<UInt>, _ newStart: Int
) -> Bool {
  guard let old = old.baseAddress, let new = new.baseAddress else { return true }
  return memcmp(old + oldStart, new + newStart, blockCount * MemoryLayout<UInt>.stride) == 0
}
