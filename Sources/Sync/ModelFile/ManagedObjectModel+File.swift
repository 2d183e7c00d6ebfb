import Foundation

extension ManagedObjectModel {
  /// Reads the model of a name from the folder that it is in: from `NAME.xcdatamodeld` or `NAME.xcdatamodel`.
  ///
  /// - Throws: `ModelFileError.notFound`, and what `init(contentsOf:)` throws.
  public init(named name: String, in folder: URL) throws {
    try self.init(contentsOf: ModelLocation.find(name, in: [folder]))
  }

  /// Reads the model of a name from a bundle's resources.
  ///
  /// - Throws: `ModelFileError.notFound`, and what `init(contentsOf:)` throws.
  public init(named name: String, bundle: Bundle = .main) throws {
    try self.init(contentsOf: ModelLocation.find(name, in: [bundle.resourceURL ?? bundle.bundleURL, bundle.bundleURL]))
  }

  /// Reads a model from a `.xcdatamodeld`, of which it takes the current version, from a `.xcdatamodel`, or from the file
  /// `contents` in one.
  ///
  /// - Throws: `ModelFileError` with the place in the file for what can't be read; `ModelError` for what is wrong with the model
  ///   as a whole.
  public init(contentsOf url: URL) throws {
    let file = try ModelLocation.contents(of: url)
    let data: Data
    do {
      data = try Data(contentsOf: file)
    } catch {
      throw ModelFileError.unreadable(path: file.path, reason: "\(error)")
    }
    try self.init(xml: data, path: file.path)
  }

  /// Reads a model from the text of a file `contents`. Errors call the file `path`.
  init(xml: Data, path: String) throws {
    let root = try XMLReader.read(Array(xml), path: path)
    var reader = ModelReader(path: path)
    self = try reader.model(root)
  }
}
