import Foundation

/// Where a container keeps its store.
public struct ModelConfiguration: Hashable, Sendable {
  /// The store's folder. For a store in memory it is `/dev/null`, as nothing is kept.
  public let url: URL
  /// Whether the store vanishes with its container.
  public let isStoredInMemoryOnly: Bool

  /// A store in a folder of its own.
  /// - Parameter url: the store's folder; it is created when it does not exist, with the folders above it.
  public init(url: URL) {
    self.url = url
    isStoredInMemoryOnly = false
  }

  /// A store in memory, or the application's default store.
  /// - Parameter isStoredInMemoryOnly: true for a store that vanishes with its container; false for the folder
  ///   `default.store` in the user's application support folder, under the program's name.
  public init(isStoredInMemoryOnly: Bool = false) {
    self.isStoredInMemoryOnly = isStoredInMemoryOnly
    url = isStoredInMemoryOnly ? URL(fileURLWithPath: "/dev/null") : Self.defaultURL
  }

  private static var defaultURL: URL {
    let folders = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
    let folder = folders.first ?? FileManager.default.homeDirectoryForCurrentUser
    return folder.appendingPathComponent(ProcessInfo.processInfo.processName).appendingPathComponent("default.store")
  }
}
