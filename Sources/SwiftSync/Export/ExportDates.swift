import Foundation
import SyncEngine

/// How an export writes dates.
struct ExportDates {
  let formatter: DateFormatter
  /// Whether the formatter is the default one (contract, section 6.5), whose texts can be had without it.
  let isStandard: Bool

  func text(of date: Date) -> String {
    isStandard ? DateFormat.text(of: date.timeIntervalSinceReferenceDate) : formatter.string(from: date)
  }
}
