import CInterpose

/// Every fault that a run can be given: for each call that it makes each way to fail, and each allocation.
struct FaultCatalog: Sendable {
  private static let callsMax = 200_000

  /// In the order in which they are tried: first for one call of each call site, then for all others.
  private(set) var faults: [(fault: Fault, site: UInt64?)] = []
  private(set) var sites: Set<UInt64> = []
  private(set) var callCount = 0
  private(set) var allocationCount = 0

  /// Looks at what a run does when nothing fails.
  init(of run: () throws -> Void) throws {
    let buffer = UnsafeMutablePointer<interpose_call>.allocate(capacity: Self.callsMax)
    defer { buffer.deallocate() }
    interpose_note_calls(buffer, Self.callsMax)
    interpose_set_memory_fault(.max, false)
    do {
      defer {
        callCount = interpose_end_noting_calls()
        allocationCount = interpose_finds_lmdb() ? Int(interpose_counted_allocations()) : 0
        interpose_clear_memory_fault()
      }
      try run()
    }
    list(Array(UnsafeBufferPointer(start: buffer, count: callCount)))
  }

  private mutating func list(_ calls: [interpose_call]) {
    var first: [(Fault, UInt64?)] = []
    var rest: [(Fault, UInt64?)] = []
    var numbers = [Int](repeating: 0, count: FaultPlan.all.count)
    for call in calls {
      let isNew = sites.insert(call.site).inserted
      for (index, plan) in FaultPlan.all.enumerated() where plan.calls & Int(call.kind) != 0 {
        let fault = (Fault.call(numbers[index], plan), Optional(call.site))
        if isNew { first.append(fault) } else { rest.append(fault) }
        numbers[index] += 1
      }
    }
    let allocations = (0..<allocationCount).flatMap { number in
      [(Fault.allocation(number, lasts: false), nil), (Fault.allocation(number, lasts: true), nil as UInt64?)]
    }
    faults = first + allocations + rest
  }
}
