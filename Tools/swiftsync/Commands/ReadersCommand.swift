import FoundationEssentials
import KeyValueStore

/// `swiftsync readers`: who has snapshots of a store open.
struct ReadersCommand: Command {
  static let clear = Flag(name: "--clear", help: "Free the places of processes that have died.")

  static let syntax = CommandSyntax(
    name: "readers",
    summary: "List who has a snapshot open, and clear what the dead have left.",
    discussion: """
      List the processes that have places for snapshots of a store, and how many transactions their snapshots are old.

      As long as a snapshot is open, a store can't use the space again that later transactions have freed. A process that dies
      leaves its place taken, until the store is opened for writing the next time, or --clear frees it.
      """,
    operands: [.store],
    options: [clear],
    examples: [Example(line: "swiftsync readers app.store", purpose: "find out why a store grows")])

  let store: String
  let isClearing: Bool

  init(_ arguments: Arguments) throws(UsageError) {
    store = try arguments.operand(.store)
    isClearing = arguments.contains(Self.clear)
  }

  var stores: [String] { [store] }

  func run(output: StandardOutput) throws {
    let environment = try Environment(at: store, options: Environment.Options(access: .readOnly))
    defer { environment.close() }
    if isClearing {
      let count = try environment.clearStaleReaders()
      return try output.writeLine("\(count) place\(count == 1 ? " was" : "s were") freed.")
    }
    let last = try environment.statistics().lastTransaction
    let readers = try environment.readers().filter { $0.process != ProcessInfo.processInfo.processIdentifier }
    var table = TextTable(alignments: [.right, .left, .left])
    table.add(["Process", "Program", "Snapshot"])
    for reader in readers {
      let age = reader.transaction.map { last - $0 }
      let snapshot =
        switch age {
        case nil: "none open"
        case 0?: "of the newest transaction"
        case let age?: "\(age) transaction\(age == 1 ? "" : "s") old"
        }
      table.add(["\(reader.process)", program(of: reader.process), snapshot])
    }
    if readers.isEmpty { return try output.writeLine("Nobody has a snapshot open.") }
    for line in table.lines { try output.writeLine(line) }
  }

  /// What the process runs. It may have ended, or be another one's by now.
  private func program(of process: Int32) -> String {
    let name = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)
    return name.map { String($0.filter { $0 != "\n" }) } ?? "(not running)"
  }
}
