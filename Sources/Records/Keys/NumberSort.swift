extension Array {
  /// Sorts by a number in linear time, and keeps elements with equal numbers in their order: one pass over the elements for
  /// every eleven bits in which their numbers differ, from the lowest up.
  @inline(__always)
  mutating func sort(byNumber number: (Element) -> UInt64) {
    guard let first = first.map(number) else { return }
    var (isSorted, differing, previous) = (true, UInt64(0), first)
    for element in self {
      let value = number(element)
      differing |= value ^ first
      if value < previous { isSorted = false }
      previous = value
    }
    if isSorted { return }
    // Too few for counting digits to pay.
    if count <= 128 { return insertionSort(byNumber: number) }

    let digitBits = 11
    let mask: UInt64 = 1 << digitBits - 1
    var (source, target) = (self, self)
    for shift in stride(from: UInt64(0), to: 64, by: digitBits) where (differing >> shift) & mask != 0 {
      var starts = [Int](repeating: 0, count: 1 << digitBits)
      for element in source { starts[Int((number(element) >> shift) & mask)] += 1 }
      var start = 0
      for digit in starts.indices { (starts[digit], start) = (start, start + starts[digit]) }
      target.withUnsafeMutableBufferPointer { target in
        for element in source {
          let digit = Int((number(element) >> shift) & mask)
          target[starts[digit]] = element
          starts[digit] += 1
        }
      }
      swap(&source, &target)
    }
    self = source
  }

  @inline(__always)
  private mutating func insertionSort(byNumber number: (Element) -> UInt64) {
    for end in indices.dropFirst() {
      let element = self[end]
      var place = end
      while place > 0, number(self[place - 1]) > number(element) {
        self[place] = self[place - 1]
        place -= 1
      }
      self[place] = element
    }
  }
}
