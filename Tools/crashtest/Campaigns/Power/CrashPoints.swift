import CInterpose
import TestSupport

/// The moments in a recording at which a crash is most likely to do harm.
struct CrashPoints {
  private let eventCount: Int
  /// Behind writes to the ring of checkpoints, and around them.
  private var records: [Int] = []
  private var checkpoints: [Int] = []
  private var creation = 0

  init(_ recording: Recording) {
    let events = recording.events
    eventCount = events.count
    var names: [UInt32: String] = [:]
    for (number, event) in events.enumerated() {
      if event.is(interpose_event_opened) { names[event.handle] = recording.text(of: event) }
      if let mark = Mark(event), mark.kind == .created, creation == 0 { creation = number }
      guard event.is(interpose_event_written), names[event.handle]?.hasPrefix("checkpoint") == true else {
        continue
      }
      records.append(number + 1)
      checkpoints += max(0, number - 25)...min(eventCount, number + 8)
    }
  }

  /// Some points in ascending order. Each is a number of events that have happened.
  func pick(_ count: Int, _ random: inout SplitMix64) -> [Int] {
    (0..<count).map { _ in pick(&random) }.sorted()
  }

  private func pick(_ random: inout SplitMix64) -> Int {
    let point: Int? =
      switch random.below(100) {
      case ..<35: random.pick(checkpoints)
      case ..<45: random.pick(records)
      case ..<52: random.below(creation + 1)
      case ..<60: max(0, eventCount - random.below(12))
      default: nil
      }
    return point ?? random.below(eventCount + 1)
  }
}
