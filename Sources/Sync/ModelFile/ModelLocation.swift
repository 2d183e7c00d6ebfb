import Foundation

/// Where a model file is.
enum ModelLocation {
  /// The container or single version of a model with a name, in the first of some folders that has one.
  static func find(_ name: String, in folders: [URL]) throws(ModelFileError) -> URL {
    for folder in folders {
      for suffix in ["xcdatamodeld", "xcdatamodel"] {
        let url = folder.appendingPathComponent("\(name).\(suffix)")
        if FileManager.default.fileExists(atPath: url.path) { return url }
      }
    }
    throw .notFound(name: name, folder: folders.first?.path ?? "")
  }

  /// The file that has the text of a model.
  static func contents(of url: URL) throws(ModelFileError) -> URL {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
      throw .unreadable(path: url.path, reason: "There is no such file.")
    }
    if ["mom", "momd", "omo"].contains(url.pathExtension) { throw .compiledModel(path: url.path) }
    if !isFolder.boolValue { return url }
    if url.pathExtension == "xcdatamodeld" { return try contents(of: currentVersion(of: url)) }
    return url.appendingPathComponent("contents")
  }

  private static func currentVersion(of container: URL) throws(ModelFileError) -> URL {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: container.path)
    } catch {
      throw .unreadable(path: container.path, reason: "\(error)")
    }
    let versions = names.filter { $0.hasSuffix(".xcdatamodel") }.sorted()
    let marker = container.appendingPathComponent(".xccurrentversion")
    if let data = try? Data(contentsOf: marker) {
      let list = try? PropertyListSerialization.propertyList(from: data, format: nil)
      guard let name = (list as? [String: Any])?["_XCCurrentVersionName"] as? String else {
        throw .unreadable(path: marker.path, reason: "It is no property list with a _XCCurrentVersionName.")
      }
      if versions.contains(name) { return container.appendingPathComponent(name) }
      throw .noCurrentVersion(path: container.path, versions: versions)
    }
    guard let only = versions.first, versions.count == 1 else {
      throw .noCurrentVersion(path: container.path, versions: versions)
    }
    return container.appendingPathComponent(only)
  }
}
