import KeyValueStore

/// `swiftsync backup`: a copy of a store, while an application writes it.
struct BackupCommand: Command {
  static let folder = Operand(placeholder: "FOLDER", help: "Where the copy will be: a new folder, or an empty one.")

  static let syntax = CommandSyntax(
    name: "backup",
    summary: "Copy a store, also while an application writes it.",
    discussion: """
      Copy the newest committed state of a store into a folder, as a store of its own with the same identifier.

      Nobody who reads or writes the store has to wait. The copy is checked and on the medium when the command ends. One that
      is interrupted leaves no store, and the next one to the same folder begins anew.
      """,
    operands: [.store, folder],
    options: [],
    examples: [
      Example(line: "swiftsync backup app.store /backups/app-monday.store", purpose: "keep a copy"),
      Example(line: "swiftsync verify /backups/app-monday.store", purpose: "check it once more, records included"),
    ])

  let store: String
  let folder: String

  init(_ arguments: Arguments) throws(UsageError) {
    store = try arguments.operand(.store)
    folder = try arguments.operand(Self.folder)
  }

  var stores: [String] { [store] }

  func run(output: StandardOutput) throws {
    try StoreCopy(of: store, to: folder, isCompact: false).write(to: output)
  }
}

/// `swiftsync compact`: a copy of a store that is as small as possible.
struct CompactCommand: Command {
  static let syntax = CommandSyntax(
    name: "compact",
    summary: "Copy a store without the space that it does not use.",
    discussion: """
      Copy the newest committed state of a store into a folder, without free pages and with the others in order.

      It is a backup that takes longer and is smaller. To make a store itself small, end its application, and put the copy in
      its place.
      """,
    operands: [.store, BackupCommand.folder],
    options: [],
    examples: [
      Example(
        line: "swiftsync compact app.store small.store && mv app.store old.store && mv small.store app.store",
        purpose: "make a store small whose application has ended")
    ])

  let store: String
  let folder: String

  init(_ arguments: Arguments) throws(UsageError) {
    store = try arguments.operand(.store)
    folder = try arguments.operand(BackupCommand.folder)
  }

  var stores: [String] { [store] }

  func run(output: StandardOutput) throws {
    try StoreCopy(of: store, to: folder, isCompact: true).write(to: output)
  }
}
