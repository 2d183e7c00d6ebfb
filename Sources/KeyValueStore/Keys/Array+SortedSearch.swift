extension Array {
  /// In a list that is sorted by something: the place of the first element that is not before what is looked for.
  @inlinable
  @inline(__always)
  package func firstPlace(notBefore isBefore: (Element) -> Bool) -> Int {
    var candidates = indices
    while !candidates.isEmpty {
      let middle = candidates.lowerBound + candidates.count / 2
      candidates = isBefore(self[middle]) ? middle + 1..<candidates.upperBound : candidates.lowerBound..<middle
    }
    return candidates.lowerBound
  }
}
