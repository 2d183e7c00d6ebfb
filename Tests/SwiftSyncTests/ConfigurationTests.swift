import Foundation
import SwiftSync
import TestSupport
import Testing

@Suite("Configurations: the forms that SwiftData's users write")
struct ConfigurationTests {
  private static let schema = Schema([Booking.self])

  /// Each form with the name and the last part of the address that it has to lead to.
  private static let forms: [(ModelConfiguration, name: String, folder: String)] = [
    (ModelConfiguration(), "default", "default.store"),
    (ModelConfiguration(schema: schema), "default", "default.store"),
    (ModelConfiguration(schema: schema, isStoredInMemoryOnly: false), "default", "default.store"),
    (ModelConfiguration("Trips"), "Trips", "Trips.store"),
    (ModelConfiguration("Trips", schema: schema, durability: .relaxed), "Trips", "Trips.store"),
    (ModelConfiguration("Trips", isStoredInMemoryOnly: true), "Trips", "null"),
    (.init(isStoredInMemoryOnly: true), "default", "null"),
    (ModelConfiguration(isStoredInMemoryOnly: true, durability: .relaxed), "default", "null"),
    (ModelConfiguration(url: URL(fileURLWithPath: "/a/b.store")), "b", "b.store"),
    (ModelConfiguration(url: URL(fileURLWithPath: "/a/b.store"), durability: .relaxed, history: .off), "b", "b.store"),
    (ModelConfiguration("Trips", schema: schema, url: URL(fileURLWithPath: "/a/b.store")), "Trips", "b.store"),
  ]

  @Test func aNameNamesTheFolder() {
    for (configuration, name, folder) in Self.forms {
      #expect(configuration.name == name)
      #expect(configuration.url.lastPathComponent == folder)
      #expect(configuration.isStoredInMemoryOnly == (folder == "null"))
      #expect(configuration.schema == nil || configuration.schema == Self.schema)
    }
    let addresses = [ModelConfiguration(), ModelConfiguration("Trips")].map(\.url)
    #expect(addresses[0].deletingLastPathComponent() == addresses[1].deletingLastPathComponent())
  }

  @Test func theContainersClassesAreAmongTheConfigurations() throws {
    let configuration = ModelConfiguration(schema: Self.schema, isStoredInMemoryOnly: true)
    let container = try ModelContainer(for: Self.schema, configurations: [configuration])
    #expect(container.schema == Self.schema)
    #expect(throws: ModelError.classesOutsideConfiguration(["Item"])) {
      try ModelContainer(for: Booking.self, First.Item.self, configurations: configuration)
    }
  }

  @Test func foldersAboveTheStoreAreMade() throws {
    let folder = try TemporaryFolder()
    let url = URL(fileURLWithPath: folder["a/b/c.store"])
    try ModelContainer(for: Booking.self, configurations: ModelConfiguration(schema: Self.schema, url: url)).close()
    var isFolder: ObjCBool = false
    #expect(FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) && isFolder.boolValue)
  }

  @Test func descriptorsCanBeSent() async throws {
    var descriptor = FetchDescriptor<Booking>(sortBy: [SortDescriptor(\.room)])
    descriptor.propertiesToFetch = [\.room]
    descriptor.relationshipKeyPathsForPrefetching = []
    let container = try ModelContainer(for: Self.schema, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let count = try await Task.detached { [descriptor] in try ModelContext(container).fetchCount(descriptor) }.value
    #expect(count == 0)
  }
}
