import CInterpose
import Glibc

/// A way in which calls to the system fail.
struct FaultPlan: Sendable, Hashable {
  /// The calls that can fail so.
  let calls: Int
  let action: Int
  let error: Int32
  let lasts: Bool
  let name: String

  static let all: [FaultPlan] =
    [false, true].flatMap { lasts in
      [
        FaultPlan("EIO", EIO, lasts, interpose_every_call & ~interpose_lock & ~interpose_map),
        FaultPlan(
          "ENOSPC", ENOSPC, lasts, interpose_open | interpose_write | interpose_sync | interpose_resize | interpose_name
        ),
        FaultPlan("ENOLCK", ENOLCK, lasts, interpose_lock),
        FaultPlan("ENOMEM", ENOMEM, lasts, interpose_map | interpose_open),
      ]
    } + [
      FaultPlan(
        "EINTR", EINTR, false, interpose_open | interpose_read | interpose_write | interpose_sync | interpose_resize),
      FaultPlan("short", 0, false, interpose_read | interpose_write, action: interpose_shorten),
      FaultPlan("short", 0, true, interpose_read | interpose_write, action: interpose_shorten),
    ]

  /// A sync that fails once.
  static let failedSync = FaultPlan("EIO", EIO, false, interpose_sync)

  /// The ones that are likely with the medium of a store that is open.
  static let whileWriting: [FaultPlan] = [false, true].flatMap { lasts in
    [
      FaultPlan("EIO", EIO, lasts, interpose_sync), FaultPlan("EIO", EIO, lasts, interpose_write),
      FaultPlan("ENOSPC", ENOSPC, lasts, interpose_write),
    ]
  }

  private init(_ name: String, _ error: Int32, _ lasts: Bool, _ calls: Int, action: Int = interpose_fail) {
    self.name = lasts ? "\(name) from then on" : name
    self.error = error
    self.lasts = lasts
    self.calls = calls
    self.action = action
  }
}
