import Foundation
import Testing

@testable import Sync

@Suite("CD-9 Where model files are, and which version of one is the current one")
struct ModelLocationTests {
  private let folder: ModelFolder

  init() throws {
    folder = try ModelFolder()
  }

  private func contents(_ entity: String) -> String {
    modelFile("<entity name=\"\(entity)\"/>", version: "v \(entity)")
  }

  private func entities(_ path: String) throws -> [String] {
    try ManagedObjectModel(contentsOf: folder.url.appendingPathComponent(path)).entities.map(\.name)
  }

  private func current(_ name: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>\(name)</string></dict></plist>
    """
  }

  @Test("CD-9 A container with one version, a bare version, and the file in it")
  func oneVersion() throws {
    try folder.write(contents("One"), to: "Shop.xcdatamodeld/Other.xcdatamodel/contents")
    try folder.write(contents("Two"), to: "Bare.xcdatamodel/contents")
    #expect(try ManagedObjectModel(named: "Shop", in: folder.url).entities.map(\.name) == ["One"])
    #expect(try ManagedObjectModel(named: "Bare", in: folder.url).version == "v Two")
    #expect(try entities("Shop.xcdatamodeld") == ["One"])
    #expect(try entities("Bare.xcdatamodel") == ["Two"])
    #expect(try entities("Bare.xcdatamodel/contents") == ["Two"])
  }

  @Test("CD-9 Of several versions, the one that is said to be current")
  func severalVersions() throws {
    try folder.write(contents("One"), to: "M.xcdatamodeld/M.xcdatamodel/contents")
    try folder.write(contents("Two"), to: "M.xcdatamodeld/M 2.xcdatamodel/contents")
    let container = folder.url.appendingPathComponent("M.xcdatamodeld").path
    let versions = ["M 2.xcdatamodel", "M.xcdatamodel"]
    #expect(throws: ModelFileError.noCurrentVersion(path: container, versions: versions)) {
      try entities("M.xcdatamodeld")
    }
    try folder.write(current("M 2.xcdatamodel"), to: "M.xcdatamodeld/.xccurrentversion")
    #expect(try entities("M.xcdatamodeld") == ["Two"])
    try folder.write(current("M.xcdatamodel"), to: "M.xcdatamodeld/.xccurrentversion")
    #expect(try entities("M.xcdatamodeld") == ["One"])
    try folder.write(current("M 3.xcdatamodel"), to: "M.xcdatamodeld/.xccurrentversion")
    #expect(throws: ModelFileError.noCurrentVersion(path: container, versions: versions)) {
      try entities("M.xcdatamodeld")
    }
    try folder.write("nothing", to: "M.xcdatamodeld/.xccurrentversion")
    #expect(throws: ModelFileError.self) { try entities("M.xcdatamodeld") }
  }

  @Test("CD-8.1 What is not there is an error, never an empty model")
  func missing() throws {
    #expect(throws: ModelFileError.notFound(name: "None", folder: folder.folder.path)) {
      try ManagedObjectModel(named: "None", in: folder.url)
    }
    #expect(throws: ModelFileError.notFound(name: "None", folder: Bundle.main.resourceURL?.path ?? "")) {
      try ManagedObjectModel(named: "None")
    }
    #expect(throws: ModelFileError.self) { try entities("None.xcdatamodeld") }
    try folder.write("", to: "Empty.xcdatamodel/layout")
    #expect(throws: ModelFileError.self) { try entities("Empty.xcdatamodel") }
    try folder.write("", to: "Compiled.momd/VersionInfo.plist")
    let compiled = folder.url.appendingPathComponent("Compiled.momd").path
    #expect(throws: ModelFileError.compiledModel(path: compiled)) { try entities("Compiled.momd") }
  }
}
