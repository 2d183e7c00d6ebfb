import CInterpose
import Glibc
import TestSupport

/// One fault: what fails, and when.
enum Fault: Sendable, Hashable {
  /// The n-th of the calls that a plan applies to.
  case call(Int, FaultPlan)
  /// LMDB's n-th allocation.
  case allocation(Int, lasts: Bool)

  func arm() {
    switch self {
    case .call(let number, let plan):
      interpose_set_fault(UInt32(plan.calls), nil, UInt64(number), plan.lasts, Int32(plan.action), plan.error)
    case .allocation(let number, let lasts):
      interpose_set_memory_fault(UInt64(number), lasts)
    }
  }

  /// A fault that a running store meets soon.
  static func random(_ random: inout SplitMix64) -> Fault {
    // A sync that fails once is the worst of them: the next one succeeds, and means nothing.
    let plan = random.chance(40) ? nil : random.pick(FaultPlan.whileWriting)
    return .call(random.below(40), plan ?? .failedSync)
  }

  static func disarm() {
    interpose_clear_fault()
    interpose_clear_memory_fault()
  }

  var description: String {
    switch self {
    case .call(let number, let plan): "call \(number) that can fail with \(plan.name)"
    case .allocation(let number, let lasts): "allocation \(number)\(lasts ? " and all later ones" : "")"
    }
  }
}
