import Foundation
import KeyValueStore

/// A store that an application brings along, with which its own begins.
struct PreloadedStore: Sendable {
  /// Where one may be, in the order in which they are looked for. It has the name of the application's store.
  let folders: [URL]

  /// Makes a store at a folder of the preloaded one, if there is one, and nothing at the folder.
  ///
  /// An interruption leaves no store, and the next call begins anew. The preloaded store is not written to, not even to what
  /// keeps its readers: what an application brings along may be on a medium for reading only.
  /// - Throws: `DataStackError.unreadablePreloadedStore`; `StoreError` for a damaged one, or a folder that can't be written to.
  func copy(to url: URL) throws {
    let candidates = folders.map { $0.appendingPathComponent(url.lastPathComponent) }
    guard
      let source = candidates.first(where: { FileManager.default.fileExists(atPath: $0.path) && $0.path != url.path }),
      try Environment.isFree(url.path)
    else { return }
    let copy = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).store")
    defer { try? FileManager.default.removeItem(at: copy) }
    try duplicate(source, at: copy)
    let environment = try Environment(at: copy.path)
    defer { environment.close() }
    do {
      // A copy of files may end in the middle. A backup is there when all of it is.
      try environment.backup(to: url.path)
    } catch StoreError.folderNotEmpty {
      // Another process has been faster.
    }
  }

  private func duplicate(_ source: URL, at copy: URL) throws(DataStackError) {
    do {
      try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
      for name in try FileManager.default.contentsOfDirectory(atPath: source.path) {
        let file = copy.appendingPathComponent(name)
        try FileManager.default.copyItem(at: source.appendingPathComponent(name), to: file)
        // What was for reading only would be no store that can be opened.
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
      }
    } catch {
      throw .unreadablePreloadedStore(path: source.path, reason: "\(error)")
    }
  }
}
