import Glibc
import KeyValueStore

/// A copy of a store, and what there is to say of it.
struct StoreCopy {
  let source: String
  let folder: String
  let isCompact: Bool

  init(of source: String, to folder: String, isCompact: Bool) {
    self.source = source
    self.folder = folder
    self.isCompact = isCompact
  }

  func write(to output: StandardOutput) throws {
    Supervisor.noteActivity("copying it")
    let environment = try Environment(at: source, options: Environment.Options(access: .readOnly))
    defer { environment.close() }
    let before = try environment.statistics().fileBytes
    try environment.backup(to: folder, compact: isCompact)
    let copy = try Environment(at: folder, options: Environment.Options(access: .readOnly))
    defer { copy.close() }
    let after = try copy.statistics().fileBytes
    try output.writeLine("\(folder): \(ByteCount.text(after)) of data, from \(ByteCount.text(before)).")
  }
}
