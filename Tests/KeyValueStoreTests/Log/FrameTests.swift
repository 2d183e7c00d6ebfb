import TestSupport
import Testing

@testable import KeyValueStore

/// What is written to the log is what is read from it, and nothing else is taken for it (invariant 7).
@Suite("Frames of the log")
struct FrameTests {
  private static let end = LogEnd(
    position: LogPosition(segment: 0, offset: 4096), lsn: 41, chain: 0x1234_5678_9ABC_DEF0, timeline: 77)

  /// The operations of a frame if it is the one behind `chain`; nil when it is not sound.
  private static func read(_ frame: [UInt8], chain: UInt64) throws -> (FrameHeader, [SampleOperation])? {
    try frame.withUnsafeBytes { bytes in
      guard let header = FrameHeader(bytes), header.frameByteCount <= bytes.count else { return nil }
      let payload = UnsafeRawBufferPointer(rebasing: bytes[FrameHeader.byteCount..<header.frameByteCount])
      guard header.isSound(bytes, payload: payload, chain: chain) else { return nil }
      return (header, try SampleOperation.all(in: payload))
    }
  }

  @Test("operations come back as they were, frame by frame, each chained to the one before", arguments: 1...10)
  func roundTrips(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let collector = FrameCollector()
    var expected: [[SampleOperation]] = []
    for _ in 0..<20 {
      collector.beginFrame()
      let operations = collector.addRandom(random.below(30), &random)
      #expect(collector.endFrame() == !operations.isEmpty)
      if !operations.isEmpty { expected.append(operations) }
    }
    let end = collector.seal(behind: Self.end, durable: 40)
    #expect(end.lsn == Self.end.lsn + UInt64(expected.count))
    var rest = Array(collector.bytes)
    var chain = Self.end.chain
    for (index, operations) in expected.enumerated() {
      let (header, found) = try #require(try Self.read(rest, chain: chain))
      #expect(found == operations)
      #expect(header.lsn == Self.end.lsn + 1 + UInt64(index))
      #expect(header.durable == 40)
      #expect(header.timeline == 77)
      #expect(try Self.read(rest, chain: chain &+ 1) == nil)
      chain = header.checksum
      rest.removeFirst(header.frameByteCount)
    }
    #expect(rest.isEmpty)
    #expect(chain == end.chain)
  }

  @Test("every change of a byte is noticed")
  func noticesChanges() throws {
    var random = SplitMix64(seed: 3)
    let collector = FrameCollector()
    collector.beginFrame()
    _ = collector.addRandom(12, &random)
    _ = collector.endFrame()
    _ = collector.seal(behind: Self.end, durable: 41)
    let frame = Array(collector.bytes)
    #expect(try Self.read(frame, chain: Self.end.chain) != nil)
    for place in frame.indices {
      for change in [0x01, 0x80, 0xFF] as [UInt8] {
        var changed = frame
        changed[place] ^= change
        #expect(try Self.read(changed, chain: Self.end.chain) == nil, "byte \(place), \(change)")
      }
    }
    for count in 0..<frame.count { #expect(try Self.read(Array(frame.prefix(count)), chain: Self.end.chain) == nil) }
  }

  @Test("any bytes are either a payload's operations or not, and never a trap", arguments: 1...20)
  func readsAnyBytes(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let collector = FrameCollector()
    collector.beginFrame()
    _ = collector.addRandom(20, &random)
    _ = collector.endFrame()
    let sound = Array(collector.bytes.dropFirst(FrameHeader.byteCount))
    var refusals = 0
    for round in 0..<300 {
      var bytes = round % 3 == 0 ? random.bytes(random.below(200)) : sound
      for _ in 0..<(1 + random.below(4)) where !bytes.isEmpty {
        let place = random.below(bytes.count)
        bytes[place] = random.pick([0, 1, 3, 4, 0x7F, 0xFF]) ?? bytes[place]
      }
      if round % 5 == 0 { bytes.removeLast(random.below(bytes.count + 1)) }
      bytes.withUnsafeBytes { bytes in
        do throws(LogOperations.Unreadable) {
          let operations = try SampleOperation.all(in: bytes)
          #expect(operations.count <= bytes.count)
        } catch {
          refusals += 1
          #expect(error.offset < bytes.count)
        }
        if let header = FrameHeader(bytes) { #expect(header.payloadByteCount >= 0) }
      }
    }
    #expect(refusals > 50)
  }

  @Test("a header that any bytes happen to be is not believed to lead beyond what there is")
  func refusesHugeLengths() {
    for byteCount in [UInt64.max, UInt64(Int.max), UInt64(Int.max) - 40, 1 << 62] {
      var header = FrameHeader(payloadByteCount: 0, lsn: 1, durable: 0, timeline: 1)
      let frame = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 8)
      defer { frame.deallocate() }
      frame.initializeMemory(as: UInt8.self, repeating: 0)
      header.seal(frame, chain: 1)
      frame.storeBytes(of: byteCount.littleEndian, toByteOffset: 8, as: UInt64.self)
      let bytes = UnsafeRawBufferPointer(frame)
      let check = Checksum.of(UnsafeRawBufferPointer(rebasing: bytes[8..<48]))
      frame.storeBytes(of: UInt32(truncatingIfNeeded: check).littleEndian, toByteOffset: 4, as: UInt32.self)
      guard let found = FrameHeader(bytes) else { continue }
      #expect(found.payloadByteCount > FrameCollector.payloadBytesAllowed)
    }
  }

  @Test("a frame is given up before a reader would refuse it, whatever it is full of")
  func limitsFrames() {
    let table = Table(name: "t", handle: 2, opening: 0)
    let key = [UInt8](repeating: 1, count: 8)
    let value = [UInt8](repeating: 1, count: 1000)
    let changes: [(String, (FrameCollector) -> Bool)] = [
      ("values", { frames in key.withUnsafeBytes { key in value.withUnsafeBytes { frames.put(key, $0, in: table) } } }),
      ("empty values", { frames in key.withUnsafeBytes { frames.put($0, $0, in: table) } }),
      ("deletions", { frames in key.withUnsafeBytes { frames.delete($0, in: table) } }),
      ("removals", { $0.clear(table) }),
      ("creations", { $0.create(table) }),
    ]
    for (name, change) in changes {
      let frames = FrameCollector()
      frames.beginFrame()
      while change(frames), frames.byteCount < 2 * FrameCollector.payloadBytesMax {}
      #expect(frames.byteCount <= FrameCollector.payloadBytesAllowed, "\(name)")
      #expect(frames.byteCount > FrameCollector.payloadBytesMax - 2000, "\(name)")
    }
  }

  @Test("what is taken back is not there, and the tables it has named are named again")
  func rewinds() throws {
    let (first, second) = (Table(name: "a", handle: 2, opening: 0), Table(name: "b", handle: 3, opening: 0))
    let frames = FrameCollector()
    frames.beginFrame()
    #expect(frames.clear(first))
    let mark = frames.mark
    #expect(frames.clear(second))
    #expect(frames.clear(first))
    frames.rewind(to: mark)
    #expect(frames.clear(second))
    #expect(frames.endFrame())
    frames.beginFrame()
    #expect(frames.clear(second))
    frames.dropFrame()
    _ = frames.seal(behind: Self.end, durable: 0)
    let (_, found) = try #require(try Self.read(Array(frames.bytes), chain: Self.end.chain))
    #expect(found == [.table("a"), .clear(0), .table("b"), .clear(1)])
  }
}
