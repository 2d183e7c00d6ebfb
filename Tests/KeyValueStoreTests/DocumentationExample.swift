import KeyValueStore

func keepNotes(at path: String) async throws -> [String] {
  // Opens the store, or creates it with the folders above it.
  let environment = try Environment(at: path)
  defer { environment.close() }
  let notes = try environment.table("notes")

  // All or nothing, on the store's writer thread; when it returns, the changes are on the medium.
  try await environment.write { transaction in
    try transaction.put(Array("milk".utf8), for: Array("shopping/1".utf8), in: notes)
    try transaction.put(Array("bread".utf8), for: Array("shopping/2".utf8), in: notes)
    try transaction.delete(Array("shopping/0".utf8), in: notes)
  }

  // One committed state, which no later write changes.
  return try environment.read { snapshot in
    var found: [String] = []
    try snapshot.scan(notes, in: .prefix(Array("shopping/".utf8))) { key, value in
      found.append(String(decoding: value, as: UTF8.self))
      return .continue
    }
    return found
  }
}
