import Foundation
import Records

/// `swiftsync diff`: how two stores, or snapshots of stores, differ.
struct DiffCommand: Command {
  enum Format: String, CaseIterable, ArgumentValue {
    case text, ndjson
  }

  static let first = Operand(
    placeholder: "A", help: "The folder of a store, or a file that 'swiftsync export' has written.")
  static let second = Operand(placeholder: "B", help: "Another one.")
  static let format = Option<Format>(
    name: "--format", placeholder: "F", help: "text (default), or ndjson: one JSON object a line.")

  static let syntax = CommandSyntax(
    name: "diff",
    summary: "Show how two stores or snapshots differ.",
    discussion: """
      Compare the rows of two stores, or of snapshots of them, by their identities: which only one has, and which
      properties of the others differ. Rows without an identity of their own are compared by their numbers.

      The exit code is 0 if there is no difference, and 1 if there is one. The rows of one entity at a time are in memory.
      """,
    operands: [first, second],
    options: [format],
    examples: [
      Example(line: "swiftsync diff before.json app.store", purpose: "see what has changed since a snapshot was taken")
    ])

  let first: String
  let second: String
  let format: Format

  init(_ arguments: Arguments) throws(UsageError) {
    first = try arguments.operand(Self.first)
    second = try arguments.operand(Self.second)
    format = try arguments.value(of: Self.format) ?? .text
  }

  var stores: [String] { [first, second] }

  func run(output: StandardOutput) throws {
    let count = try reading(first) { first in
      try reading(second) { second in
        try Comparison(first: first, second: second, isText: format == .text, output: output).write()
      }
    }
    if count > 0 { throw ContentsDiffer(first: first, second: second, rowCount: count) }
  }

  /// Runs a closure on what a path leads to: a file is a snapshot, everything else is or should be a store.
  private func reading<Result>(_ path: String, _ body: (any ComparedContent) throws -> Result) throws -> Result {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue {
      return try body(SnapshotContent(path))
    }
    let store = try RecordStore(readingAt: path)
    defer { store.close() }
    return try store.read { try body(StoreContent($0)) }
  }
}

/// Two contents that are not the same.
struct ContentsDiffer: Error, Equatable, CustomStringConvertible {
  let first: String
  let second: String
  let rowCount: Int

  var description: String { "'\(first)' and '\(second)' differ in \(rowCount) row\(rowCount == 1 ? "" : "s")." }
}
