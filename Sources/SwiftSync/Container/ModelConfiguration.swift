import Foundation
import KeyValueStore
import Records

/// Where a container keeps its store.
public struct ModelConfiguration: Hashable, Sendable {
  /// The store's folder. For a store in memory it is `/dev/null`, as nothing is kept.
  public let url: URL
  /// Whether the store vanishes with its container.
  public let isStoredInMemoryOnly: Bool
  /// What a save or a sync has survived when it returns, unless it says otherwise. A store in memory survives nothing.
  public let durability: Durability
  /// How much of its history the store keeps: what each save and sync did, for whoever has to know what has changed.
  public let history: HistoryPolicy

  /// A store in a folder of its own.
  /// - Parameters:
  ///   - url: the store's folder; it is created when it does not exist, with the folders above it.
  ///   - durability: what a save or a sync has survived when it returns: a power cut with `.full`, the end of the process
  ///     with `.relaxed`.
  ///   - history: how much of its history the store keeps. `.off` forgets what it has.
  public init(url: URL, durability: Durability = .full, history: HistoryPolicy = .standard) {
    self.url = url
    self.durability = durability
    self.history = history
    isStoredInMemoryOnly = false
  }

  /// A store in memory, or the application's default store.
  /// - Parameters:
  ///   - isStoredInMemoryOnly: true for a store that vanishes with its container; false for the folder `default.store` in
  ///     the user's application support folder, under the program's name.
  ///   - durability: what a save or a sync has survived when it returns.
  ///   - history: how much of its history the store keeps. `.off` forgets what it has.
  public init(
    isStoredInMemoryOnly: Bool = false, durability: Durability = .full, history: HistoryPolicy = .standard
  ) {
    self.isStoredInMemoryOnly = isStoredInMemoryOnly
    self.durability = durability
    self.history = history
    url = isStoredInMemoryOnly ? URL(fileURLWithPath: "/dev/null") : Self.defaultURL
  }

  private static var defaultURL: URL {
    let folders = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
    let folder = folders.first ?? FileManager.default.homeDirectoryForCurrentUser
    return folder.appendingPathComponent(ProcessInfo.processInfo.processName).appendingPathComponent("default.store")
  }
}
