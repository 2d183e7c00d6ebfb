import Foundation
import KeyValueStore
import Records

/// `swiftsync repair`: makes a sound store of what can be read of a damaged one.
struct RepairCommand: Command {
  static let folder = Operand(
    placeholder: "FOLDER", help: "Where the new store will be: a new folder, or an empty one.")

  static let syntax = CommandSyntax(
    name: "repair",
    summary: "Make a sound store of what can be read of a damaged one.",
    discussion: """
      Copy every row of a damaged store that can be read into a new one, with its links to others, and say what is lost.
      Indexes, counters and both directions of links are made anew.

      The damaged store is not changed, and nobody may have it open. The new one has another identifier and no history, and
      nothing of what was not sent to a server yet. The exit code is 0 if nothing is lost, and 1 otherwise.
      """,
    operands: [.store, folder],
    options: [],
    examples: [Example(line: "swiftsync repair app.store saved.store", purpose: "save what there is to save")])

  let store: String
  let folder: String

  init(_ arguments: Arguments) throws(UsageError) {
    store = try arguments.operand(.store)
    folder = try arguments.operand(Self.folder)
  }

  var stores: [String] { [store] }

  func run(output: StandardOutput) throws {
    guard try Environment.isFree(folder) else { throw StoreError.folderNotEmpty(path: folder) }
    let isNew = !FileManager.default.fileExists(atPath: folder)
    // The entries that can be read, as they are. It lies beside the new store, where there is room for that too.
    let entries = "\(folder).entries-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: entries) }
    Supervisor.noteActivity("reading its pages")
    let report = try Environment.salvage(store, into: entries) { _ in try Interruption.check() }
    do {
      try copy(from: entries, report, to: output)
    } catch let error as IncompleteRepair {
      throw error
    } catch {
      if isNew { try? FileManager.default.removeItem(atPath: folder) }
      throw error
    }
  }

  private func copy(from entries: String, _ report: SalvageReport, to output: StandardOutput) throws {
    for problem in report.problems { try output.writeLine(problem.description) }
    if report.problemsBeyond > 0 { try output.writeLine("and \(report.problemsBeyond) more") }
    if let problem = report.logProblem { try output.writeLine("The log was not read to its end: \(problem).") }
    let source: RecordStore
    do { source = try RecordStore(readingAt: entries) } catch {
      throw UnrepairableStore(path: store, reason: "\(error)")
    }
    defer { source.close() }
    let lossCount = try source.read { snapshot in
      let salvage = RecordSalvage(snapshot)
      let target = try RecordStore(at: folder, schema: snapshot.catalog.schema)
      defer { target.close() }
      _ = try target.write(author: "repair") { try salvage.run(in: $0) }
      for loss in salvage.losses { try output.writeLine(loss) }
      let beyond = salvage.lossCount - salvage.losses.count
      if beyond > 0 { try output.writeLine("and \(beyond) more") }
      for (entity, copied, expected) in salvage.counts {
        let known = expected.map { " of \($0)" } ?? ""
        try output.writeLine("\(entity): \(copied)\(known) rows")
      }
      let missing = salvage.counts.reduce(0) { $0 + max(0, ($1.expected ?? $1.copied) - $1.copied) }
      return max(salvage.lossCount, missing)
    }
    if lossCount > 0 || report.logProblem != nil { throw IncompleteRepair(path: folder) }
  }
}

/// Not everything could be saved.
struct IncompleteRepair: Error, Equatable, CustomStringConvertible {
  let path: String

  var description: String { "'\(path)' is sound, and lacks what is named above." }
}

/// What can be read is no store of records.
struct UnrepairableStore: Error, Equatable, CustomStringConvertible {
  let path: String
  let reason: String

  var description: String { "Of '\(path)' not enough can be read to know what its rows are. \(reason)" }
}
