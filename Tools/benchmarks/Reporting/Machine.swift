import CLMDB
import CSQLite
import Foundation

/// Where the figures come from: they are worth nothing without it.
struct Machine: Codable {
  var processor: String
  var processorCount: Int
  var memoryBytes: UInt64
  var system: String
  var fileSystem: String
  /// How busy the machine was when the run began: processes that ran or waited to, averaged over a minute.
  var load: Double
  var sqlite: String
  var lmdb: String
  var isOptimized: Bool

  /// This machine, with the file system that a folder lies on.
  init(folder: String) {
    let information = ProcessInfo.processInfo
    processor = Self.processorName ?? "unknown"
    processorCount = information.activeProcessorCount
    memoryBytes = information.physicalMemory
    system = information.operatingSystemVersionString
    fileSystem = Self.fileSystemName(of: folder)
    var loads = [0.0]
    load = getloadavg(&loads, 1) == 1 ? loads[0] : .nan
    sqlite = String(cString: sqlite3_libversion())
    lmdb = "\(MDB_VERSION_MAJOR).\(MDB_VERSION_MINOR).\(MDB_VERSION_PATCH)"
    #if DEBUG
    isOptimized = false
    #else
    isOptimized = true
    #endif
  }

  var lines: [String] {
    [
      "\(processor), \(processorCount) processors, \(memoryBytes >> 30) GiB, \(system), \(fileSystem)",
      "SQLite \(sqlite), LMDB \(lmdb), load \(Figure.text(load))" + (isOptimized ? "" : ", NOT OPTIMIZED"),
    ]
  }

  /// Whether syncs cost something there. In a file system in memory they don't, and durable commits mean nothing.
  var hasMedium: Bool { fileSystem != "tmpfs" }

  private static var processorName: String? {
    guard let text = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8) else { return nil }
    let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
    return line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
  }

  private static func fileSystemName(of folder: String) -> String {
    var facts = statfs()
    guard statfs(folder, &facts) == 0 else { return "unknown" }
    switch facts.f_type {
    case 0xEF53: return "ext4"
    case 0x0102_1994: return "tmpfs"
    case 0x5846_5342: return "xfs"
    case 0x9123_683E: return "btrfs"
    case 0x794C_7630: return "overlayfs"
    default: return "file system 0x" + String(UInt(bitPattern: Int(facts.f_type)), radix: 16)
    }
  }
}
