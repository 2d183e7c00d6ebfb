import SwiftSync
import SyncEngine

/// One sync of the tasks of a payload.
struct SyncMeasurement {
  var rows: Int
  var read: Duration
  /// Parsing alone, measured beside the sync, which parses again. So the rest (sorting and writing of indexes and links,
  /// and the commit) is known only to within the noise of that.
  var parse: Duration
  var total: Duration
  var phases: SyncDurations
  var storeBytes = 0
  let peakBytes = Self.peakBytesNow

  static let columns = [
    "rows", "read ms", "parse ms", "resolve ms", "map ms", "link ms", "delete ms", "rest ms", "total ms", "store MB",
    "peak MB",
  ]

  var milliseconds: Double { total / .milliseconds(1) }

  /// One value for each of `columns`.
  private var values: [Double] {
    let known: Duration = read + parse + phases.resolve + phases.map + phases.link + phases.delete
    let times: [Duration] = [read, parse, phases.resolve, phases.map, phases.link, phases.delete, total - known, total]
    let megabytes = [storeBytes, peakBytes].map { Double($0) / 1_048_576 }
    return [Double(rows)] + times.map { $0 / .milliseconds(1) } + megabytes
  }

  /// The median of every column.
  static func medians(_ measurements: [SyncMeasurement]) -> [Double] {
    let rows = measurements.map(\.values)
    return columns.indices.map { column in rows.map { $0[column] }.sorted().quantile(0.5) }
  }

  /// The most memory that the process has had so far.
  private static var peakBytesNow: Int {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss * 1024
  }
}
