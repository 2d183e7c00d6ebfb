import Records

/// In which version of a value each of its rows was last changed. Kept only once somebody has asked, because most screens never do.
struct RowVersions {
  /// Rows that are not among them have not changed since it is kept.
  private(set) var versions: [RowNumber: Int] = [:]
  private var isKept = false
  private var changed: [RowNumber] = []

  mutating func start() {
    isKept = true
  }

  /// Rows have changed, or something that is shown with them.
  mutating func note(_ rows: some Sequence<RowNumber>) {
    if isKept { changed += rows }
  }

  mutating func note(_ row: RowNumber) {
    if isKept { changed.append(row) }
  }

  /// Other rows take the place of the ones before. One that comes counts as changed: it may have been there before, with other
  /// values.
  mutating func replace(_ old: [RowNumber], by new: [RowNumber], version: Int) {
    guard isKept else { return }
    let left = Set(old).subtracting(new)
    for row in left { versions[row] = nil }
    for row in Set(new).subtracting(old) { versions[row] = version }
    if !left.isEmpty { changed.removeAll { left.contains($0) } }
  }

  /// What was noted has changed in a version.
  mutating func finish(_ version: Int) {
    for row in changed { versions[row] = version }
    changed = []
  }
}
