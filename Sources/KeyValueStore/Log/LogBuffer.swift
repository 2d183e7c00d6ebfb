/// Memory that grows and is used again: the bytes of a group of frames before they are written.
struct LogBuffer: ~Copyable {
  private static let capacityMin = 64 << 10
  /// More than this is given back after use.
  private static let capacityKept = 1 << 20

  private var memory = UnsafeMutableRawBufferPointer.allocate(byteCount: capacityMin, alignment: 8)
  private(set) var count = 0

  deinit {
    memory.deallocate()
  }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

  /// The bytes of a part, to be changed.
  func part(_ range: Range<Int>) -> UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(rebasing: memory[range])
  }

  /// Room for more bytes at the end, of any content.
  @inline(__always)
  mutating func extend(by byteCount: Int) -> UnsafeMutableRawBufferPointer {
    if count + byteCount > memory.count { grow(to: count + byteCount) }
    defer { count += byteCount }
    return UnsafeMutableRawBufferPointer(rebasing: memory[count..<(count + byteCount)])
  }

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    extend(by: bytes.count).copyMemory(from: bytes)
  }

  mutating func append(_ number: some FixedWidthInteger) {
    let place = extend(by: number.bitWidth / 8)
    place.storeBytes(of: number.littleEndian, as: type(of: number))
  }

  mutating func appendZeros(_ byteCount: Int) {
    let place = extend(by: byteCount)
    place.initializeMemory(as: UInt8.self, repeating: 0)
  }

  /// Takes back what was appended since there were `count` bytes.
  mutating func truncate(to count: Int) {
    self.count = count
  }

  /// Takes back everything.
  mutating func removeAll() {
    count = 0
    guard memory.count > Self.capacityKept else { return }
    memory.deallocate()
    memory = .allocate(byteCount: Self.capacityMin, alignment: 8)
  }

  private mutating func grow(to byteCount: Int) {
    let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: max(byteCount, 2 * memory.count), alignment: 8)
    larger.copyMemory(from: bytes)
    memory.deallocate()
    memory = larger
  }
}
