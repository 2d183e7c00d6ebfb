import Foundation
import TestSupport

@testable import Sync

/// A folder with model files of a test.
struct ModelFolder {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  var url: URL { URL(fileURLWithPath: folder.path, isDirectory: true) }

  /// Writes a file and the folders that it is in.
  func write(_ text: String, to path: String) throws {
    let file = url.appendingPathComponent(path)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }
}

/// A model file with some entities.
func modelFile(_ entities: String, version: String = "") -> String {
  """
  <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
  <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="1" \
  systemVersion="1" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="\(version)">
  \(entities)
  </model>
  """
}

/// The model in the text of a model file.
func model(_ entities: String) throws -> ManagedObjectModel {
  try ManagedObjectModel(xml: Data(modelFile(entities).utf8), path: "Test.xcdatamodel/contents")
}
