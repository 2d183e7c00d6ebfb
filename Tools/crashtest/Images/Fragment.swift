/// The part of a write that lies in one page of a file. The system brings pages to the medium, each in its own time.
struct Fragment: Sendable {
  static let pageBytes = 4096
  static let sectorBytes = 512

  enum Content: Sendable {
    /// Bytes of a recording, from a position on.
    case recorded(Recording, at: Int)
    case zeros
  }

  /// The number of the event that wrote it; before all of a recording if it comes from an earlier one.
  var event: Int
  var offset: Int
  var byteCount: Int
  var content: Content
  /// Whether the next sync of its page takes it along. After a failed sync the system believes that it has been written.
  var isDirty = true

  var page: Int { offset / Fragment.pageBytes }
  var end: Int { offset + byteCount }

  /// Writes the part of the fragment that lies in a range of the file.
  func apply(to bytes: inout [UInt8], in range: Range<Int> = 0..<Int.max) {
    let part = (offset..<end).clamped(to: range)
    if part.isEmpty { return }
    if bytes.count < part.upperBound { bytes.resize(to: part.upperBound) }
    bytes.withUnsafeMutableBytes { bytes in
      let target = UnsafeMutableRawBufferPointer(rebasing: bytes[part])
      switch content {
      case .zeros: target.initializeMemory(as: UInt8.self, repeating: 0)
      case .recorded(let recording, let start):
        let first = start + part.lowerBound - offset
        recording.withBytes(first..<first + part.count) { target.copyMemory(from: $0) }
      }
    }
  }

  /// The sectors that it touches.
  var sectors: [Range<Int>] {
    let first = offset / Fragment.sectorBytes
    let last = (end - 1) / Fragment.sectorBytes
    return (first...last).map { $0 * Fragment.sectorBytes..<($0 + 1) * Fragment.sectorBytes }
  }
}
