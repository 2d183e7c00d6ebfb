import Foundation

extension URL {
  /// Where stores are for which no place is given: in the user's application support folder, under the program's name.
  package static var applicationStores: URL {
    let folders = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
    let folder = folders.first ?? FileManager.default.homeDirectoryForCurrentUser
    return folder.appendingPathComponent(ProcessInfo.processInfo.processName)
  }

  /// The folder of a store with a name.
  package static func applicationStore(_ name: String) -> URL {
    applicationStores.appendingPathComponent("\(name).store")
  }
}
