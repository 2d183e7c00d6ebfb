import Contexts
import Foundation
import KeyValueStore
import Records

/// Where a container keeps its store.
public struct ModelConfiguration: Hashable, Sendable {
  /// The name; that of the store's folder, without its extension, if none was given.
  public let name: String
  /// The classes that the store is for, if that was said. A container with others is not made.
  public let schema: Schema?
  /// The store's folder. For a store in memory it is `/dev/null`, as nothing is kept.
  public let url: URL
  /// Whether the store vanishes with its container.
  public let isStoredInMemoryOnly: Bool
  /// Whether a container can save. One that cannot reads beside the process that writes, and follows what that commits.
  public let allowsSave: Bool
  /// What a save or a sync has survived when it returns, unless it says otherwise. A store in memory survives nothing.
  public let durability: Durability
  /// How much of its history the store keeps: what each save and sync did, for whoever has to know what has changed.
  public let history: HistoryPolicy

  /// A store in a folder of its own.
  /// - Parameters:
  ///   - name: what the configuration is called; it does not change where the store is.
  ///   - schema: the classes that the store is for; nil leaves that to the container.
  ///   - url: the store's folder; it is created when it does not exist, with the folders above it.
  ///   - allowsSave: false for a container that only reads. The store must exist then, with all that the classes declare, and
  ///     another process may write it; see `docs/change-stream.md`.
  ///   - durability: what a save or a sync has survived when it returns: a power cut with `.full`, the end of the process
  ///     with `.relaxed`.
  ///   - history: how much of its history the store keeps. `.off` forgets what it has.
  public init(
    _ name: String? = nil, schema: Schema? = nil, url: URL, allowsSave: Bool = true,
    durability: Durability = .full, history: HistoryPolicy = .standard
  ) {
    self.name = name ?? url.deletingPathExtension().lastPathComponent
    self.schema = schema
    self.url = url
    self.allowsSave = allowsSave
    self.durability = durability
    self.history = history
    isStoredInMemoryOnly = false
  }

  /// A store in memory, or one in the application's own folder.
  /// - Parameters:
  ///   - name: the store is the folder `NAME.store`; `default.store` if it is nil.
  ///   - schema: the classes that the store is for; nil leaves that to the container.
  ///   - isStoredInMemoryOnly: true for a store that vanishes with its container; false for a folder in the user's application
  ///     support folder, under the program's name.
  ///   - allowsSave: false for a container that only reads a store that exists. One in memory never does.
  ///   - durability: what a save or a sync has survived when it returns.
  ///   - history: how much of its history the store keeps. `.off` forgets what it has.
  public init(
    _ name: String? = nil, schema: Schema? = nil, isStoredInMemoryOnly: Bool = false, allowsSave: Bool = true,
    durability: Durability = .full, history: HistoryPolicy = .standard
  ) {
    let name = name ?? "default"
    self.name = name
    self.schema = schema
    self.isStoredInMemoryOnly = isStoredInMemoryOnly
    self.allowsSave = allowsSave
    self.durability = durability
    self.history = history
    url =
      isStoredInMemoryOnly
      ? URL(fileURLWithPath: "/dev/null") : .applicationStore(name)
  }
}
