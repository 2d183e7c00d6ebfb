import Foundation
import Testing

@testable import Sync

@Suite("CD-8.1 A store that an application brings along is what its own begins with")
struct PreloadedStoreTests {
  private let folder: ModelFolder
  private let model: ManagedObjectModel

  init() throws {
    folder = try ModelFolder()
    try folder.write(
      modelFile(
        """
        <entity name="User"><attribute name="id" attributeType="Integer 64" optional="YES"/>\
        <attribute name="name" attributeType="String" optional="YES"/></entity>
        """), to: "Shop.xcdatamodel/contents")
    model = try ManagedObjectModel(named: "Shop", in: folder.url)
  }

  private var brought: URL { folder.url.appendingPathComponent("Shop.store") }

  private func bring(_ names: [String]) throws {
    let stack = DataStack(model: model, storeURL: brought)
    let context = stack.newBackgroundContext()
    for (id, name) in names.enumerated() { try context.make("User", ["id": id, "name": name]) }
    try context.save()
    stack.close()
  }

  private func stack(_ container: String = "stores", bundle: Bundle? = nil) -> DataStack {
    let container = folder.url.appendingPathComponent(container)
    if let bundle { return DataStack(modelName: "Shop", bundle: bundle, containerURL: container) }
    return DataStack(modelName: "Shop", folder: folder.url, containerURL: container)
  }

  private func names(_ stack: DataStack) throws -> [String?] {
    try stack.newBackgroundContext().all("User").map { try $0.value("name") }
  }

  @Test("A new store begins as its copy, from a folder as from a bundle, and goes its own way")
  func begins() throws {
    try bring(["Anna", "Ben"])
    let bundle = try #require(Bundle(path: folder.folder.path))
    #expect(try names(stack(bundle: bundle)) == ["Anna", "Ben"])
    let own = stack("others")
    let context = own.newBackgroundContext()
    try context.make("User", ["id": 9, "name": "Own"])
    try context.save()
    #expect(try names(own) == ["Anna", "Ben", "Own"])
    own.close()
    try FileManager.default.removeItem(at: brought)
    try bring(["Later"])
    // There is one now, so nothing is copied.
    #expect(try names(stack("others")) == ["Anna", "Ben", "Own"])
  }

  @Test("It may be for reading only")
  func readingOnly() throws {
    try bring(["Anna"])
    for name in try FileManager.default.contentsOfDirectory(atPath: brought.path) {
      let path = brought.appendingPathComponent(name).path
      try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: path)
    }
    let own = stack()
    let context = own.newBackgroundContext()
    try context.make("User", ["id": 1, "name": "Ben"])
    try context.save()
    #expect(try names(own) == ["Anna", "Ben"])
  }

  @Test("What an interrupted copy has left is begun anew")
  func interrupted() throws {
    try bring(["Anna"])
    try folder.write("", to: "stores/Shop.store/backup.unfinished")
    try folder.write("half", to: "stores/Shop.store/creating.mdb")
    #expect(try names(stack()) == ["Anna"])
  }

  @Test("One that can't be copied is told, and no empty store takes its place")
  func damaged() throws {
    try folder.write("no store", to: "Shop.store/data.mdb")
    #expect(throws: (any Error).self) { try stack().open() }
    try FileManager.default.removeItem(at: brought)
    try folder.write("a file", to: "Shop.store")
    #expect(throws: DataStackError.self) { try stack().open() }
    try FileManager.default.removeItem(at: brought)
    try bring(["Anna"])
    #expect(try names(stack()) == ["Anna"])
  }

  @Test("A store in memory, and one in the folder of the model, begin empty")
  func notPreloaded() throws {
    try bring(["Anna"])
    #expect(try names(DataStack(modelName: "Shop", folder: folder.url, storeType: .inMemory)).isEmpty)
    // The preloaded store itself, in place.
    #expect(try names(DataStack(modelName: "Shop", folder: folder.url, containerURL: folder.url)) == ["Anna"])
  }
}
