import TestSupport

/// Walks along a recording and makes crashes on the way.
struct Cutter {
  let run: RecordedRun
  private var medium: Medium
  private var ledger: Ledger
  private var position = 0

  /// Begins at the beginning of a run, whose folder and promises are these.
  init(_ run: RecordedRun, medium: Medium, ledger: Ledger) {
    self.run = run
    self.medium = medium
    self.ledger = ledger
  }

  /// Goes on to a point: that many events have happened.
  mutating func advance(to point: Int) throws {
    while position < point {
      let event = run.recording.events[position]
      if let mark = Mark(event) {
        ledger.apply(mark)
      } else {
        try medium.apply(event, number: position, of: run.recording)
      }
      position += 1
    }
  }

  /// A crash at this point.
  func crash(garbage: Bool, _ random: inout SplitMix64) -> Crash {
    let isPowerCut = random.chance(80)
    let image =
      isPowerCut ? medium.imageOfPowerCut(garbage: garbage, &random) : medium.imageOfProcessCrash(&random)
    var after = medium
    // After the death of the process the medium is where it was, and what is in the cache may still get lost.
    if isPowerCut { after = Medium(image) } else { after.beginRecording() }
    let expectation = ledger.expectation(afterPowerCut: isPowerCut)
    return Crash(
      image: image, mediumAfter: after, examination: Examination(setup: run.setup, expectation: expectation),
      promisesAfter: Ledger.Initial(
        afterProcessCrash: expectation, afterPowerCut: ledger.expectation(afterPowerCut: true)),
      title: "\(run.title), event \(position) of \(run.recording.events.count)",
      description: ([run.title] + image.rules).joined(separator: "\n") + "\n" + run.recording.text(before: position))
  }
}
