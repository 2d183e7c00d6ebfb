import Foundation
import Testing

@testable import Records
@testable import SwiftSync

@Suite("Attributes in external storage")
struct ExternalStorageTests {
  private let container: ModelContainer

  init() throws {
    container = try photographContainer()
  }

  private func saved(_ photograph: Photograph) throws -> ModelContext {
    let context = ModelContext(container)
    context.insert(photograph)
    try context.save()
    return context
  }

  @Test("Small and large values read as they were saved, in this context and in another", arguments: [true, false])
  func roundTrip(isLarge: Bool) throws {
    func make() -> Photograph {
      isLarge ? .large(1) : Photograph(id: 1, title: "small", image: Data([1]), points: [1, 2])
    }
    let photograph = make()
    let context = try saved(photograph)
    #expect(photograph.content == make().content)
    #expect(try ModelContext(container).photograph(1).content == make().content)
    photograph.title = "other"
    photograph.caption = nil
    photograph.image = Photograph.data(30_000)
    try context.save()
    let read = try ModelContext(container).photograph(1)
    #expect(read.title == "other" && read.caption == nil && read.image == Photograph.data(30_000))
    #expect(read.points == make().points && read.outline == make().outline)
    #expect(try container.core.store.read { try $0.checkInvariants() } == [])
  }

  @Test("A value is read when it is asked for, and once for as long as the object's row stays as it is")
  func onDemand() throws {
    let photograph = Photograph.large(1)
    let context = try saved(photograph)
    #expect(photograph.image == Photograph.data(20_000))
    try container.damage("image", of: photograph)
    try container.damage("caption", of: photograph)
    #expect(photograph.image == Photograph.data(20_000))
    #expect(photograph.caption == nil)
    #expect(throws: RecordError.damagedContent(entity: "Photograph", row: RowNumber(rawValue: 1), attribute: "caption"))
    {
      try context.save()
    }
    try context.save()
  }

  @Test(
    "What is damaged reads as empty, and the next fetch says so",
    arguments: ["image", "caption", "source", "points"])
  func damage(attribute: String) throws {
    _ = try saved(.large(1))
    let context = ModelContext(container)
    let photograph = try context.photograph(1)
    try container.damage(attribute, of: photograph)
    #expect(photograph.title == "large" && photograph.outline == Outline(8_000))
    let empty: Bool =
      switch attribute {
      case "image": photograph.image.isEmpty
      case "caption": photograph.caption == nil
      case "source": photograph.source == nil
      default: photograph.points.isEmpty
      }
    #expect(empty)
    let error = RecordError.damagedContent(entity: "Photograph", row: RowNumber(rawValue: 1), attribute: attribute)
    #expect(throws: error) { try context.fetch(FetchDescriptor<Photograph>()) }
    #expect(try context.fetch(FetchDescriptor<Photograph>()).count == 1)
  }

  @Test("A value that nothing can stand in for is read with its object, and a damaged one is the fetch's error")
  func damageOfWhatHasNoStandIn() throws {
    let photograph = Photograph.large(1)
    _ = try saved(photograph)
    try container.damage("outline", of: photograph)
    let error = RecordError.damagedContent(entity: "Photograph", row: RowNumber(rawValue: 1), attribute: "outline")
    #expect(throws: error) { try ModelContext(container).fetch(FetchDescriptor<Photograph>()) }
  }

  @Test("An object whose row has changed meanwhile reads the new value, and is up to date after the next fetch")
  func changedMeanwhile() throws {
    let writer = try saved(.large(1))
    let reader = ModelContext(container)
    let seen = try reader.photograph(1)
    let photograph = try writer.photograph(1)
    photograph.title = "changed"
    photograph.image = Photograph.data(40_000, 1)
    photograph.points = [1]
    try writer.save()
    #expect(seen.title == "large" && seen.image == Photograph.data(40_000, 1) && seen.points == [1])
    photograph.image = Data([7])
    try writer.save()
    #expect(seen.image == Data([7]))
    _ = try reader.fetch(FetchDescriptor<Photograph>())
    #expect(seen.content == photograph.content)
  }

  @Test(
    "An object whose row is deleted keeps what it has read, and has nothing else; inserting it again says what is lost")
  func deletedMeanwhile() throws {
    let writer = try saved(.large(1))
    let reader = ModelContext(container)
    let seen = try reader.photograph(1)
    #expect(seen.image == Photograph.data(20_000))
    writer.delete(try writer.photograph(1))
    try writer.save()
    #expect(seen.image == Photograph.data(20_000) && seen.caption == nil && seen.points.isEmpty)
    #expect(try reader.fetch(FetchDescriptor<Photograph>()).isEmpty)
    reader.insert(seen)
    #expect(throws: ModelError.self) { try reader.save() }
    reader.rollback()

    seen.caption = "new"
    seen.source = nil
    seen.points = []
    seen.outline = Outline(1)
    reader.insert(seen)
    try reader.save()
    #expect(try ModelContext(container).photograph(1).image == Photograph.data(20_000))
  }

  @Test("A rollback shows the stored value again, and a failed save changes nothing")
  func rollback() throws {
    let photograph = Photograph.large(1)
    _ = try saved(Photograph(id: 2))
    let context = try saved(photograph)
    photograph.image = Data([1])
    photograph.points = []
    photograph.id = 2
    #expect(throws: RecordError.self) { try context.save() }
    #expect(photograph.image == Data([1]))
    context.rollback()
    #expect(photograph.content == Photograph.large(1).content)
    #expect(try container.core.store.read { try $0.checkInvariants() } == [])
  }

  @Test("A save of other attributes neither reads nor writes a large value")
  func otherAttributes() throws {
    let photograph = Photograph.large(1)
    let context = try saved(photograph)
    try container.damage("image", of: photograph)
    photograph.title = "other"
    try context.save()
    #expect(try ModelContext(container).photograph(1).title == "other")
  }

  @Test("A new object with a stored unique value takes the row over, large values included")
  func uniqueUpsert() throws {
    _ = try saved(.large(1))
    let context = try saved(.large(1, 5))
    #expect(try context.fetchCount(FetchDescriptor<Photograph>()) == 1)
    #expect(try ModelContext(container).photograph(1).content == Photograph.large(1, 5).content)
    _ = try saved(Photograph(id: 1))
    #expect(try ModelContext(container).photograph(1).content == Photograph(id: 1).content)
    #expect(try container.core.store.read { try $0.checkInvariants() } == [])
  }

  @Test("Predicates and orders see large values as they see others")
  func predicates() throws {
    let context = ModelContext(container)
    for id in 1...6 {
      let isLarge = id % 2 == 0
      context.insert(
        isLarge ? .large(id, id) : Photograph(id: id, image: Data([UInt8(id)]), caption: id == 1 ? nil : "abc\(id)"))
    }
    try context.save()
    let image = Photograph.data(20_000, 2)
    let predicates: [Predicate<Photograph>] = [
      #Predicate { $0.image == image }, #Predicate { $0.image != image }, #Predicate { $0.image.count > 100 },
      #Predicate { $0.caption == nil }, #Predicate { $0.caption != nil }, #Predicate { $0.caption == "abc3" },
      #Predicate { $0.caption?.contains("efgh") == true }, #Predicate { ($0.caption ?? "").contains("abc") },
      #Predicate { $0.points.contains(9_999) }, #Predicate { $0.points.isEmpty && $0.caption != nil },
      #Predicate { $0.source != nil && $0.id > 2 },
    ]
    let reader = ModelContext(container)
    let all = try reader.fetch(FetchDescriptor<Photograph>())
    for predicate in predicates {
      let found = try reader.fetch(FetchDescriptor<Photograph>(predicate: predicate)).map(\.id)
      let expected = try all.filter { try predicate.evaluate($0) }.map(\.id)
      #expect(Set(found) == Set(expected), "\(predicate)")
      #expect(!expected.isEmpty && expected.count < 6)
    }
    let sorted = try reader.fetch(
      FetchDescriptor<Photograph>(sortBy: [SortDescriptor(\.caption), SortDescriptor(\.id)]))
    #expect(sorted.map(\.id) == all.sorted(using: [SortDescriptor(\.caption), SortDescriptor(\.id)]).map(\.id))
  }

  @Test("An index on such an attribute is refused")
  func indexes() {
    let schema = StoreSchema(entities: [
      EntityDescription(
        name: "Photograph", attributes: [AttributeDescription(name: "image", type: .data, options: .externalStorage)],
        indexes: [["image"]])
    ])
    #expect(throws: SchemaError.externalStorageInIndex(entity: "Photograph", attribute: "image")) {
      try schema.validate()
    }
  }
}

@Suite("Attributes in external storage: syncs and exports")
struct ExternalStorageSyncTests {
  private let container: SyncContainer

  init() throws {
    container = try SyncContainer(
      for: Photograph.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
  }

  private func payload(_ seed: Int, title: String = "t") throws -> Data {
    let photograph = Photograph.large(1, seed)
    let object: [String: Any] = [
      "id": 1, "title": title, "image": photograph.image.base64EncodedString(), "caption": photograph.caption ?? "",
      "source": photograph.source?.absoluteString ?? "", "points": photograph.points,
      "outline": ["name": photograph.outline.name, "corners": photograph.outline.corners],
    ]
    return try JSONSerialization.data(withJSONObject: [object])
  }

  private func photograph() throws -> Photograph { try ModelContext(container.modelContainer).photograph(1) }

  @Test("A sync stores large values, and one that brings the same again is no change and reads none")
  func sync() async throws {
    var report = try await container.sync(json: try payload(0), as: Photograph.self)
    #expect(report.entities["Photograph"]?.inserted == 1)
    var expected = Photograph.large(1)
    expected.title = "t"
    #expect(try photograph().content == expected.content)

    try container.modelContainer.damage("image", of: photograph())
    report = try await container.sync(json: try payload(0), as: Photograph.self)
    #expect(report.entities["Photograph"]?.updated == 0)
    report = try await container.sync(json: try payload(0, title: "u"), as: Photograph.self)
    #expect(report.entities["Photograph"]?.updated == 1)

    _ = try await container.sync(json: try payload(3), as: Photograph.self)
    expected = Photograph.large(1, 3)
    expected.title = "t"
    #expect(try photograph().content == expected.content)
    #expect(try container.modelContainer.core.store.read { try $0.checkInvariants() } == [])
  }

  @Test("An export has large values as it has others")
  func export() async throws {
    _ = try await container.sync(json: try payload(0), as: Photograph.self)
    let context = ModelContext(container.modelContainer)
    let exported = container.export(try context.photograph(1))
    #expect(exported["image"] as? String == Photograph.data(20_000).base64EncodedString())
    #expect(exported["caption"] as? String == Photograph.text(20_000))
    #expect((exported["points"] as? [Any])?.count == 10_000)
  }
}
