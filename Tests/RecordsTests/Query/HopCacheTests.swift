import Testing

@testable import Records

@Suite struct HopCacheTests {
  @Test func resultsAreKeptByRow() {
    var cache = HopCache()
    func row(_ number: Int) -> RowNumber { RowNumber(rawValue: UInt64(number)) }
    #expect(cache[row(1)] == nil)
    cache[row(1)] = true
    cache[row(2)] = false
    #expect(cache[row(1)] == true)
    #expect(cache[row(2)] == false)
    // Two rows may share a place; the later one has it then. The first row of all needs none.
    cache[row(2 + HopCache.places)] = true
    cache[row(1 + HopCache.places)] = false
    #expect(cache[row(1)] == true)
    #expect(cache[row(2)] == nil)
    #expect(cache[row(2 + HopCache.places)] == true)
    #expect(cache[row(1 + HopCache.places)] == false)
  }
}
