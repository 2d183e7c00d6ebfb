import CInterpose
import Glibc

/// What a program did to the files of a store, in the order in which it did it.
final class Recording: Sendable {
  let events: [interpose_event]
  private let data: [UInt8]

  /// Records what `body` does to the files below a folder.
  static func record(in folder: String, _ body: () throws -> Void) throws -> Recording {
    interpose_watch(folder)
    defer { interpose_watch(nil) }
    interpose_start_recording()
    defer { _ = interpose_stop_recording() }
    try body()
    return try Recording()
  }

  /// Copies what has been recorded so far, and ends the recording.
  private init() throws {
    guard interpose_stop_recording() else { throw HarnessError("the recording has outgrown its memory") }
    events = Array(UnsafeBufferPointer(start: interpose_events(), count: interpose_event_count()))
    let byteCount = events.map { Int($0.data + $0.count) }.max() ?? 0
    data = Array(UnsafeRawBufferPointer(start: interpose_data(), count: byteCount))
  }

  /// Reads what a process has kept in two files, which may have died meanwhile.
  init(keptIn eventsPath: String, _ dataPath: String) throws {
    events = try Folder.withMap(of: eventsPath) { bytes in
      Array(bytes.bindMemory(to: interpose_event.self).prefix { $0.number != 0 })
    }
    let byteCount = events.map { Int($0.data + $0.count) }.max() ?? 0
    data = try Folder.withMap(of: dataPath) { Array($0.prefix(byteCount)) }
  }

  /// Calls `body` with some of the recorded bytes.
  func withBytes<Result>(_ range: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    data.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
  }

  /// The name, or names, of an event.
  func text(of event: interpose_event) -> String {
    withBytes(event.bytes) { String(decoding: $0, as: UTF8.self) }
  }
}

extension interpose_event {
  /// Where the event's bytes are among the recorded ones.
  var bytes: Range<Int> { Int(data)..<Int(data + count) }

  func `is`(_ kind: Int) -> Bool { Int(self.kind) == kind }
}

/// Something went wrong with the harness itself, and not with what it tests.
struct HarnessError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
