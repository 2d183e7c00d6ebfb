/// One file: what is on the medium for certain, and what has been written since.
struct StoredFile: Sendable {
  private(set) var durable: [UInt8]
  /// What is in the system's cache only, oldest first.
  private(set) var pending: [Fragment] = []
  /// The sizes that the file has had since, oldest first, each with the event that gave it.
  private(set) var pendingSizes: [(event: Int, size: Int)] = []

  init(_ bytes: [UInt8] = []) {
    durable = bytes
  }

  /// The size that the file has in the cache.
  var size: Int { pendingSizes.last?.size ?? durable.count }

  // MARK: - What happens to it

  mutating func write(_ bytes: Range<Int>, of recording: Recording, at offset: Int, event: Int) {
    add(offset..<offset + bytes.count, event) { .recorded(recording, at: bytes.lowerBound + $0 - offset) }
    if offset + bytes.count > size { pendingSizes.append((event, offset + bytes.count)) }
  }

  mutating func resize(to newSize: Int, event: Int) {
    // What is cut off comes back as zeros if the file grows again.
    if newSize < size { add(newSize..<size, event) { _ in .zeros } }
    if newSize != size { pendingSizes.append((event, newSize)) }
  }

  private mutating func add(_ range: Range<Int>, _ event: Int, content: (Int) -> Fragment.Content) {
    var offset = range.lowerBound
    while offset < range.upperBound {
      let end = min(range.upperBound, (offset / Fragment.pageBytes + 1) * Fragment.pageBytes)
      pending.append(Fragment(event: event, offset: offset, byteCount: end - offset, content: content(offset)))
      offset = end
    }
  }

  /// A sync of the whole file that began at `event` has succeeded.
  mutating func sync(before event: Int) {
    let dirtyPages = Set(pending.lazy.filter { $0.isDirty && $0.event < event }.map(\.page))
    // A page is written as it is in the cache, with what an earlier failed sync has left in it.
    persist { $0.event < event && dirtyPages.contains($0.page) }
    let size = pendingSizes.last { $0.event < event }?.size
    pendingSizes.removeAll { $0.event < event }
    if let size { durable.resize(to: size) }
  }

  /// The last write came through a descriptor that syncs each write.
  mutating func syncLastWrite(event: Int) {
    persist { $0.event == event }
    pendingSizes.removeAll { $0.event == event }
  }

  /// A sync that began at `event` has failed: what was written before may be on the medium, and won't be written again.
  mutating func failSync(before event: Int) {
    for index in pending.indices where pending[index].event < event { pending[index].isDirty = false }
  }

  private mutating func persist(_ isPersisted: (Fragment) -> Bool) {
    for fragment in pending where isPersisted(fragment) { fragment.apply(to: &durable) }
    pending.removeAll(where: isPersisted)
  }

  /// The recording ends here and another one begins: what is pending is older than all of it.
  mutating func beginRecording() {
    for index in pending.indices { pending[index].event = -1 }
    for index in pendingSizes.indices { pendingSizes[index].event = -1 }
  }

  /// The file as it is in the cache.
  var cached: [UInt8] {
    var bytes = durable
    for fragment in pending { fragment.apply(to: &bytes) }
    bytes.resize(to: size)
    return bytes
  }
}

extension [UInt8] {
  /// Cuts the bytes, or extends them with zeros.
  mutating func resize(to size: Int) {
    if size < count { removeLast(count - size) } else { self += [UInt8](repeating: 0, count: size - count) }
  }
}
