import Foundation
import TestSupport
import Testing

@testable import Sync

@Suite("A stack finds its model and opens its store when it is used, and says what is wrong with either")
struct DataStackTests {
  private static let users = """
    <entity name="User"><attribute name="id" attributeType="Integer 64" optional="YES"/>\
    <attribute name="name" attributeType="String" optional="YES"/></entity>
    """

  @Test("CD-8.1 A model is found by name in a folder or a bundle, or by its own place, and the store beside its name")
  func models() throws {
    let folder = try ModelFolder()
    try folder.write(modelFile(Self.users), to: "Bare.xcdatamodel/contents")
    try folder.write(modelFile(Self.users), to: "Full.xcdatamodeld/One.xcdatamodel/contents")
    let bundle = try #require(Bundle(path: folder.folder.path))
    let stores = folder.url.appendingPathComponent("stores")
    let stacks = [
      DataStack(modelName: "Bare", folder: folder.url, containerURL: stores),
      DataStack(modelName: "Full", bundle: bundle, containerURL: stores),
      DataStack(
        modelURL: folder.url.appendingPathComponent("Full.xcdatamodeld"), storeName: "Other", containerURL: stores),
      DataStack(model: try model(Self.users), storeURL: stores.appendingPathComponent("mine")),
      DataStack(modelName: "Full", folder: folder.url, storeType: .inMemory),
    ]
    for (stack, name) in zip(stacks, ["Bare.store", "Full.store", "Other.store", "mine", nil]) {
      #expect(stack.storeURL?.lastPathComponent == name)
      let context = stack.newBackgroundContext()
      try context.make("User", ["id": 1])
      try context.save()
      #expect(try stack.model.entities.map(\.name) == ["User"])
      if let url = stack.storeURL { #expect(FileManager.default.fileExists(atPath: url.path)) }
    }
  }

  @Test("CD-12.2 Making a stack never fails: its first use says that there is no model, or why a store can't be opened")
  func failures() throws {
    let folder = try ModelFolder()
    let missing = DataStack(modelName: "None", folder: folder.url)
    #expect(throws: ModelFileError.notFound(name: "None", folder: folder.url.path)) { try missing.open() }
    #expect(throws: ModelFileError.self) { try missing.newBackgroundContext().make("User") }
    #expect(throws: ModelFileError.self) { try missing.newBackgroundContext().fetch(FetchRequest(entityName: "User")) }
    // What was missing may be there the next time.
    try folder.write(modelFile(Self.users), to: "None.xcdatamodel/contents")
    let context = DataStack(
      modelName: "None", folder: folder.url, storeName: "x", containerURL: folder.url
    ).newBackgroundContext()
    #expect(try context.fetch(FetchRequest(entityName: "User")).isEmpty)
    let remote = try #require(URL(string: "https://a.org/store"))
    #expect(throws: DataStackError.notAFileURL(remote)) {
      try DataStack(model: model(Self.users), storeURL: remote).open()
    }
  }

  @Test("CD-12.1 A store that can't be opened is left as it is")
  func damagedStore() throws {
    let folder = try ModelFolder()
    try folder.write("no store", to: "damaged/data.mdb")
    let stack = DataStack(model: try model(Self.users), storeURL: folder.url.appendingPathComponent("damaged"))
    #expect(throws: (any Error).self) { try stack.open() }
    #expect(throws: (any Error).self) { try stack.newBackgroundContext().make("User") }
    let text = try String(contentsOf: folder.url.appendingPathComponent("damaged/data.mdb"), encoding: .utf8)
    #expect(text == "no store")
  }

  @Test("CD-8.1 A store takes over a later version of its model, and keeps its rows")
  func migration() throws {
    let folder = try ModelFolder()
    let store = folder.url.appendingPathComponent("shared")
    let first = DataStack(model: try model(Self.users), storeURL: store)
    let context = first.newBackgroundContext()
    try context.make("User", ["id": 1, "name": "A"])
    try context.save()
    first.close()
    #expect(throws: (any Error).self) { try context.fetch(FetchRequest(entityName: "User")) }
    let later = Self.users.replacing(
      "</entity>", with: "<attribute name=\"updatedDate\" attributeType=\"Date\" optional=\"YES\"/></entity>")
    let second = DataStack(model: try model(later), storeURL: store).newBackgroundContext()
    let user = try #require(try second.all("User").first)
    #expect(try user.value("name") == "A")
    user["updatedDate"] = Date()
    try second.save()
  }

  @Test("CD-8.2 What a background context saves is seen by the main context")
  @MainActor func contexts() async throws {
    let stack = try Shop.stack()
    #expect(stack.mainContext === stack.viewContext)
    let id = try await stack.performInNewBackgroundContext { context in
      let person = try context.make("Person", ["id": 1])
      try context.save()
      return person.objectID
    }
    #expect(try stack.mainContext.existingObject(with: id).value("id") == 1)
    let background = stack.newNonMergingBackgroundContext()
    try background.make("Person", ["id": 2])
    try background.save()
    #expect(try stack.mainContext.ids("Person") == [1, 2])
    await withCheckedContinuation { continuation in
      stack.performBackgroundTask { context in
        _ = try? context.make("Person", ["id": 3])
        try? context.save()
        continuation.resume()
      }
    }
    #expect(try stack.mainContext.ids("Person") == [1, 2, 3])
  }

  @Test("CD-8.2 A disposable context saves nothing")
  @MainActor func disposable() throws {
    let stack = try Shop.stack()
    let context = stack.newDisposableMainContext()
    try context.make("Person", ["id": 1])
    #expect(try context.ids("Person") == [1])
    try context.save()
    #expect(try context.ids("Person").isEmpty)
    #expect(try stack.mainContext.ids("Person").isEmpty)
  }

  @Test("CD-8.4 Dropping leaves a stack empty and usable, on disk and in memory", arguments: [true, false])
  @MainActor func drop(onDisk: Bool) async throws {
    let folder = try TemporaryFolder()
    let url = URL(fileURLWithPath: folder.path).appendingPathComponent("s.store")
    let model = try Shop.model()
    let stack = onDisk ? DataStack(model: model, storeURL: url) : DataStack(model: model, storeType: .inMemory)
    let person = try stack.mainContext.make("Person", ["id": 1])
    try stack.mainContext.make("Note", ["id": 1, "author": person])
    try stack.mainContext.make("Racer", ["id": 1])
    try stack.mainContext.save()
    try await stack.drop()
    for entity in ["Person", "Note", "Vehicle"] { #expect(try stack.mainContext.ids(entity).isEmpty) }
    #expect(person.isDeleted)
    try stack.mainContext.make("Person", ["id": 1])
    try stack.mainContext.save()
    #expect(try stack.newBackgroundContext().ids("Person") == [1])
  }
}
