import TestSupport

/// Which of the writes that were not synced a crash leaves of a file.
enum CrashRule: String, CaseIterable, Sendable {
  case none
  case all
  /// Any of the writes, each as a whole.
  case subset
  /// Each page as it was at any time since the last sync.
  case pages
  /// The same for sectors.
  case sectors
  /// The first of the writes, and a part of the next one.
  case prefix
  /// The first two pages and nothing else.
  case metas
  /// Everything but the first two pages.
  case allButMetas
  /// Any of the writes, each as a whole or in part.
  case torn
}

extension StoredFile {
  /// The file as a crash may leave it. With `garbage`, pages that were to be written may hold anything.
  func image(after rule: CrashRule, garbage: Bool, _ random: inout SplitMix64) -> [UInt8] {
    var bytes = durable
    let odds = 5 + random.below(91)
    switch rule {
    case .none:
      break
    case .all:
      for fragment in pending { fragment.apply(to: &bytes) }
    case .metas:
      for fragment in pending where fragment.page < 2 { fragment.apply(to: &bytes) }
    case .allButMetas:
      for fragment in pending where fragment.page >= 2 { fragment.apply(to: &bytes) }
    case .subset:
      forEachWrite { write in
        if random.chance(odds) { for fragment in write { fragment.apply(to: &bytes) } }
      }
    case .torn:
      forEachWrite { write in
        if random.chance(odds) { apply(write, to: &bytes, torn: random.chance(30), &random) }
      }
    case .prefix:
      let count = random.below(Set(pending.map(\.event)).count + 1)
      var number = 0
      forEachWrite { write in
        if number <= count { apply(write, to: &bytes, torn: number == count, &random) }
        number += 1
      }
    case .pages:
      applyVersions(to: &bytes, sectorwise: false, &random)
    case .sectors:
      applyVersions(to: &bytes, sectorwise: true, &random)
    }
    if garbage { addGarbage(to: &bytes, &random) }
    chooseSize(of: &bytes, &random)
    return bytes
  }

  /// Calls `body` with the fragments of each write, oldest first.
  private func forEachWrite(_ body: (ArraySlice<Fragment>) -> Void) {
    var rest = pending[...]
    while let first = rest.first {
      let write = rest.prefix { $0.event == first.event }
      body(write)
      rest = rest.dropFirst(write.count)
    }
  }

  private func apply(_ write: ArraySlice<Fragment>, to bytes: inout [UInt8], torn: Bool, _ random: inout SplitMix64) {
    guard torn else {
      for fragment in write { fragment.apply(to: &bytes) }
      return
    }
    let sectors = write.flatMap { fragment in fragment.sectors.map { (fragment, $0) } }
    // Mostly the beginning of it, and else any sectors.
    let count = random.chance(60) ? random.below(sectors.count + 1) : nil
    for (index, (fragment, sector)) in sectors.enumerated() where count.map({ index < $0 }) ?? random.chance(50) {
      fragment.apply(to: &bytes, in: sector)
    }
  }

  private func applyVersions(to bytes: inout [UInt8], sectorwise: Bool, _ random: inout SplitMix64) {
    for (page, fragments) in Dictionary(grouping: pending, by: \.page).sorted(by: { $0.key < $1.key }) {
      let start = page * Fragment.pageBytes
      let step = sectorwise ? Fragment.sectorBytes : Fragment.pageBytes
      for part in stride(from: start, to: start + Fragment.pageBytes, by: step) {
        for fragment in fragments.prefix(random.below(fragments.count + 1)) {
          fragment.apply(to: &bytes, in: part..<part + step)
        }
      }
    }
  }

  private func addGarbage(to bytes: inout [UInt8], _ random: inout SplitMix64) {
    for page in Set(pending.map(\.page)).sorted() where random.chance(30) {
      let start = page * Fragment.pageBytes
      let end = min(start + Fragment.pageBytes, bytes.count)
      let step = random.chance(50) ? Fragment.pageBytes : Fragment.sectorBytes
      for part in stride(from: start, to: end, by: step) where random.chance(70) {
        for offset in part..<min(part + step, end) { bytes[offset] = .random(in: 0...255, using: &random) }
      }
    }
  }

  private func chooseSize(of bytes: inout [UInt8], _ random: inout SplitMix64) {
    let sizes = [durable.count] + pendingSizes.map(\.size)
    let isShrinking = zip(sizes, sizes.dropFirst()).contains { $0 > $1 }
    if isShrinking, let size = sizes.randomElement(using: &random) {
      bytes.resize(to: size)
      return
    }
    // Never smaller than what is there, and never larger than the file has been.
    let most = max(bytes.count, size)
    switch random.below(3) {
    case 0: break
    case 1: bytes.resize(to: most)
    default: bytes.resize(to: bytes.count + random.below(most - bytes.count + 1))
    }
  }
}
