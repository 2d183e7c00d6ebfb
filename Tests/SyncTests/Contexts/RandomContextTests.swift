import Records
import TestSupport
import Testing

@testable import Sync

@Suite("Two contexts behave as a plain model of them does, whatever is edited, saved and rolled back")
struct RandomContextTests {
  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func randomWork(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var world = try ContextWorld()
    for _ in 0..<60 {
      try world.step(&random)
      try world.check()
    }
    try world.finish()
  }
}
