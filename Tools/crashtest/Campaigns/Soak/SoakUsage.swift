import Glibc
import KeyValueStore

/// What a store takes at one moment.
struct SoakUsage {
  var fileBytes: Int
  var residentBytes: Int
  var readerPlaces: Int

  init(_ environment: Environment, folder: String) throws {
    fileBytes = try Folder.names(in: folder).reduce(0) { sum, name in
      var status = stat()
      return stat("\(folder)/\(name)", &status) == 0 ? sum + Int(status.st_size) : sum
    }
    let words = try String(decoding: Folder.content(of: "/proc/self/statm"), as: UTF8.self).split(separator: " ")
    // Without the file's own pages, which the map shares with the system's cache.
    residentBytes = words.count > 2 ? ((Int(words[1]) ?? 0) - (Int(words[2]) ?? 0)) * Int(getpagesize()) : 0
    readerPlaces = try environment.statistics().readerPlacesUsed
  }
}

/// What a store may take: about as much as in the beginning.
struct SoakBounds {
  /// The load has reached its steady state after so many measurements.
  private static let warmUpCount = 30
  private static let slackBytes = 128 << 20
  private static let readerPlacesMax = 64

  private var count = 0
  private var fileBytesMax = 0
  private var residentBytesMax = 0

  mutating func note(_ usage: SoakUsage) throws {
    count += 1
    if usage.readerPlaces > Self.readerPlacesMax {
      throw Finding("\(usage.readerPlaces) places for readers are in use")
    }
    if count <= Self.warmUpCount {
      fileBytesMax = max(fileBytesMax, usage.fileBytes)
      residentBytesMax = max(residentBytesMax, usage.residentBytes)
      return
    }
    if usage.fileBytes > 2 * fileBytesMax + Self.slackBytes {
      throw Finding("the files have grown from \(fileBytesMax) to \(usage.fileBytes) bytes")
    }
    if usage.residentBytes > 2 * residentBytesMax + Self.slackBytes {
      throw Finding("the process has grown from \(residentBytesMax) to \(usage.residentBytes) bytes")
    }
  }
}
