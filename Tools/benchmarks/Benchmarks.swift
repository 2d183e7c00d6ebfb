import SwiftSync
import SyncEngine

/// Measures syncs from JSON files on disk to a committed store, phase by phase.
///
/// Payloads are folders with `projects.json`, `users.json` and `tasks.json`; each is synced in that order into a new store
/// (`first`) and then again (`again`). One line a round and payload.
@main
struct Benchmarks {
  static func main() async {
    do {
      let arguments = try Arguments(CommandLine.arguments.dropFirst())
      print(Measurement.header)
      for payload in arguments.payloads {
        for _ in 0..<arguments.rounds { try await measure(payload) }
      }
    } catch {
      FileHandle.standardError.write(Data("benchmarks: \(error)\n".utf8))
      exit(1)
    }
  }

  static func measure(_ payload: URL) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("benchmark-\(UUID()).store")
    defer { try? FileManager.default.removeItem(at: folder) }
    let container = try SyncContainer(for: Task.self, configurations: ModelConfiguration(url: folder))
    for pass in ["first", "again"] {
      try await sync("projects", as: Project.self, payload, container)
      try await sync("users", as: User.self, payload, container)
      var measurement = try await sync("tasks", as: Task.self, payload, container)
      measurement.storeBytes = try storeBytes(folder)
      print(measurement.line(payload.relativePath, pass))
    }
    container.modelContainer.close()
  }

  @discardableResult
  static func sync<Model: SyncUpdatableModel>(
    _ name: String, as model: Model.Type, _ payload: URL, _ container: SyncContainer
  ) async throws -> Measurement {
    let clock = ContinuousClock()
    let start = clock.now
    let json = try Data(contentsOf: payload.appendingPathComponent("\(name).json"))
    let read = clock.now
    let parse = try clock.measure { _ = try PayloadDocument(json: json) }
    let synced = clock.now
    let report = try await container.sync(json: json, as: model)
    let end = clock.now
    return Measurement(
      rows: report.entities[String(describing: Model.self)]?.total ?? 0, read: read - start, parse: parse,
      total: (read - start) + (end - synced), phases: report.durations)
  }

  static func storeBytes(_ folder: URL) throws -> Int {
    let data = folder.appendingPathComponent("data.mdb").path
    return try FileManager.default.attributesOfItem(atPath: data)[.size] as? Int ?? 0
  }
}

struct Arguments {
  var payloads: [URL] = []
  var rounds = 5

  struct Usage: Error, CustomStringConvertible {
    let description = "usage: benchmarks [--rounds N] PAYLOADS…"
  }

  init(_ arguments: some Sequence<String>) throws {
    var iterator = arguments.makeIterator()
    while let argument = iterator.next() {
      if argument == "--rounds" {
        guard let rounds = iterator.next().flatMap(Int.init), rounds > 0 else { throw Usage() }
        self.rounds = rounds
      } else {
        payloads.append(URL(fileURLWithPath: argument))
      }
    }
    if payloads.isEmpty { throw Usage() }
  }
}

/// One sync of the tasks of a payload.
struct Measurement {
  var rows: Int
  var read: Duration
  /// Parsing alone, measured beside the sync, which parses again. So the rest (sorting and writing of indexes and links,
  /// and the commit) is known only to within the noise of that.
  var parse: Duration
  var total: Duration
  var phases: SyncDurations
  var storeBytes = 0

  static let header =
    "payload\tpass\trows\tread ms\tparse ms\tresolve ms\tmap ms\tlink ms\tdelete ms\trest ms\ttotal ms\t"
    + "store MB\tpeak MB"

  func line(_ payload: String, _ pass: String) -> String {
    let known = read + parse + phases.resolve + phases.map + phases.link + phases.delete
    let times = [read, parse, phases.resolve, phases.map, phases.link, phases.delete, total - known, total]
    let columns = [payload, pass, "\(rows)"] + times.map { Self.milliseconds($0) }
    return (columns + [Self.megabytes(storeBytes), Self.megabytes(Self.peakBytes)]).joined(separator: "\t")
  }

  private static func milliseconds(_ duration: Duration) -> String {
    String(format: "%.1f", duration / .milliseconds(1))
  }

  private static func megabytes(_ bytes: Int) -> String {
    String(format: "%.1f", Double(bytes) / 1_048_576)
  }

  private static var peakBytes: Int {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss * 1024
  }
}

extension SyncReport.Counts {
  var total: Int { inserted + updated + unchanged }
}
