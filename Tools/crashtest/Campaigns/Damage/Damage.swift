import TestSupport

/// What befalls one file of a closed store.
enum Damage: String, CaseIterable {
  case bitFlips = "flipped bits"
  case zeroedSectors = "zeroed sectors"
  case garbledSectors = "garbled sectors"
  case swappedPages = "swapped pages"
  case copiedPage = "a page copied over another"
  case cut = "cut"
  case extended = "extended"
  case missing = "missing"
  case older = "an older copy"
  case foreign = "another store's"

  /// Whether sound pages come to lie where other sound pages were. LMDB doesn't look which page it reads, and so a value may
  /// be read that was right once or elsewhere; only a check of the whole store finds that.
  var exchangesPages: Bool { self == .swappedPages || self == .copiedPage }

  /// The stores that files are taken from.
  struct Sources {
    var older: String
    var foreign: String
  }

  /// Damages a file, which has some content at first.
  func apply(to name: String, in folder: String, _ sources: Sources, _ random: inout SplitMix64) throws {
    let path = "\(folder)/\(name)"
    switch self {
    case .missing:
      Folder.removeFile(path)
    case .older, .foreign:
      let source = "\(self == .older ? sources.older : sources.foreign)/\(name)"
      if Folder.hasFile(source) {
        try Folder.write(Folder.bytes(of: source), to: path)
      } else {
        Folder.removeFile(path)
      }
    default:
      var bytes = try Folder.bytes(of: path)
      change(&bytes, &random)
      try Folder.write(bytes, to: path)
    }
  }

  private func change(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
    guard !bytes.isEmpty else { return }
    let pages = max(1, bytes.count / Fragment.pageBytes)
    switch self {
    case .bitFlips:
      for _ in 0...random.below(8) { bytes[random.below(bytes.count)] ^= 1 << UInt8(random.below(8)) }
    case .zeroedSectors, .garbledSectors:
      for _ in 0...random.below(3) {
        let start = random.below(bytes.count / Fragment.sectorBytes + 1) * Fragment.sectorBytes
        for offset in start..<min(start + Fragment.sectorBytes, bytes.count) {
          bytes[offset] = self == .zeroedSectors ? 0 : .random(in: 0...255, using: &random)
        }
      }
    case .swappedPages, .copiedPage:
      let (one, other) = (Self.page(random.below(pages), of: bytes), Self.page(random.below(pages), of: bytes))
      guard one.count == other.count else { return }
      let content = Array(bytes[one])
      if self == .swappedPages { bytes.replaceSubrange(one, with: Array(bytes[other])) }
      bytes.replaceSubrange(other, with: content)
    case .cut:
      bytes.removeLast(1 + random.below(bytes.count))
    case .extended:
      bytes += random.bytes(1 + random.below(10_000))
    case .missing, .older, .foreign:
      break
    }
  }

  private static func page(_ number: Int, of bytes: [UInt8]) -> Range<Int> {
    let start = number * Fragment.pageBytes
    return start..<min(start + Fragment.pageBytes, bytes.count)
  }
}
