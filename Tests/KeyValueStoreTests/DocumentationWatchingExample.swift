import KeyValueStore

/// Prints what a note says, now and whenever it may say something else, for as long as the result lives.
func follow(_ note: String, at path: String) throws -> CommitWatch {
  let environment = try Environment(at: path, options: .init(access: .readOnly))
  let notes = try environment.table("notes")
  // Whatever was committed last is shown by a snapshot that begins in the handler, on a thread of the watch's.
  return try environment.watchCommits {
    let text = try? environment.read { try $0.value(for: Array(note.utf8), in: notes) }
    print(String(decoding: text ?? [], as: UTF8.self))
  }
}
