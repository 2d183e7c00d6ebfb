/// The longest ascending run of a list, whose members need not be neighbours: what can stay when the rest is moved.
enum LongestRun {
  /// The positions of its members, of numbers that all differ. O(n log n).
  static func positions(in numbers: [Int]) -> [Int] {
    // The position of the least number with which a run of each length ends, and what comes before each number in its run.
    var ends: [Int] = []
    var previous = [Int?](repeating: nil, count: numbers.count)
    for (position, number) in numbers.enumerated() {
      var low = 0
      var high = ends.count
      while low < high {
        let middle = (low + high) / 2
        if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[position] = ends[low - 1] }
      if low < ends.count { ends[low] = position } else { ends.append(position) }
    }
    var result: [Int] = []
    var next = ends.last
    while let position = next {
      result.append(position)
      next = previous[position]
    }
    return result.reversed()
  }
}
