import FoundationEssentials
import Testing

@testable import Records

/// Attributes come to external storage and leave it, and no value is lost or left behind.
@Suite struct ContentEvolutionTests {
  private static let max = Gallery.insideMax
  private static let (one, two, three) = (RowNumber(rawValue: 1), RowNumber(rawValue: 2), RowNumber(rawValue: 3))

  private static func note(
    _ options: AttributeOptions = .externalStorage, name: String = "note", from originalName: String? = nil,
    optional isOptional: Bool = true, default value: FieldValue? = nil
  ) -> AttributeDescription {
    AttributeDescription(
      name: name, type: .string, isOptional: isOptional, options: options, originalName: originalName,
      defaultValue: value)
  }

  private static let image = AttributeDescription(
    name: "image", type: .data, isOptional: true, options: .externalStorage)

  private static func text(_ length: Int?, _ seed: UInt8 = 0) -> FieldValue { Gallery.value(of: "note", length, seed) }

  /// Three photos with a long, a short and no note.
  private static func fill(_ store: RecordStore) throws {
    _ = try store.write { transaction in
      for (id, length) in [max + 1, 5, nil].enumerated() {
        try transaction.add("Photo", ["id": .int(Int64(id)), "note": text(length)])
      }
    }
  }

  private func check(
    _ store: RecordStore, _ values: [FieldValue], of attribute: String = "note", contents: Int
  ) throws {
    for (row, value) in zip([Self.one, Self.two, Self.three], values) {
      #expect(try store.value(of: attribute, row) == value)
    }
    #expect(try store.contentCount() == contents)
    #expect(try store.violations() == [])
  }

  private static let stored = [text(max + 1), text(5), .null]

  @Test func valuesStayInsideUntilTheyAreSetWhenTheOptionComes() throws {
    let folder = try EvolvingStore()
    try folder.with(Gallery.schema([Self.note([])])) { try Self.fill($0) }
    try folder.with(Gallery.schema([Self.note()])) { store in
      try check(store, Self.stored, contents: 0)
      let same = try store.write { try $0.setValue(Self.text(Self.max + 1), of: "note", Self.one) }.result
      #expect(same == nil)
      _ = try store.write { try $0.setValue(.string("x"), of: "title", Self.one) }
      try check(store, Self.stored, contents: 0)
      _ = try store.write { try $0.setValue(Self.text(Self.max + 1, 1), of: "note", Self.one) }
      try check(store, [Self.text(Self.max + 1, 1), Self.text(5), .null], contents: 1)
    }
  }

  @Test func valuesStayOutsideUntilTheyAreSetWhenTheOptionGoes() throws {
    let folder = try EvolvingStore()
    try folder.with(Gallery.schema([Self.note()])) { try Self.fill($0) }
    let layouts = try folder.contents()["r.2"]
    try folder.with(Gallery.schema([Self.note([])])) { store in
      try check(store, Self.stored, contents: 1)
      let same = try store.write { try $0.setValue(Self.text(Self.max + 1), of: "note", Self.one) }.result
      #expect(same == nil)
      _ = try store.write { try $0.setValue(Self.text(Self.max + 2), of: "note", Self.one) }
      try check(store, [Self.text(Self.max + 2), Self.text(5), .null], contents: 0)
      _ = try store.write { try $0.setValue(Self.text(Self.max + 3), of: "note", Self.two) }
      #expect(try store.contentCount() == 0)
    }
    // The option makes no other layout, since the field keeps its form.
    #expect(try folder.contents()["r.2"]?.last == layouts?.last)
    try folder.with(Gallery.schema([Self.note()])) { store in
      try check(store, [Self.text(Self.max + 2), Self.text(Self.max + 3), .null], contents: 0)
    }
  }

  @Test func renamesLeaveContentsWhereTheyAre() throws {
    let folder = try EvolvingStore()
    try folder.with(Gallery.schema([Self.note()])) { try Self.fill($0) }
    var renamed = Gallery.schema([Self.image, Self.note(name: "remark", from: "note")])
    try folder.with(renamed) { try check($0, Self.stored, of: "remark", contents: 1) }
    renamed.entities[1].attributes.swapAt(2, 3)
    try folder.with(renamed) { try check($0, Self.stored, of: "remark", contents: 1) }
  }

  @Test(arguments: [[], [image], [image, note(from: "other")]])
  func theContentsOfARemovedAttributeGo(attributes: [AttributeDescription]) throws {
    let folder = try EvolvingStore()
    let before = [Self.note(), Self.image]
    try folder.with(Gallery.schema(before)) { store in
      try Self.fill(store)
      _ = try store.write { try $0.setValue(Gallery.value(of: "image", Self.max * 2), of: "image", Self.one) }
      #expect(try store.contentCount() == 2)
    }
    try folder.with(Gallery.schema(attributes.filter { $0.name == "image" })) { store in
      try check(store, [], contents: attributes.filter { $0.name == "image" }.count)
    }
    // One of the same name that comes later has another number.
    try folder.with(Gallery.schema(before)) { store in
      try check(store, [.null, .null, .null], contents: attributes.isEmpty ? 0 : 1)
    }
    if attributes.isEmpty { #expect(try folder.contents()["b.2"] == nil) }
  }

  @Test func moreContentsThanABatchGo() throws {
    let folder = try EvolvingStore()
    try folder.with(Gallery.schema([Self.note(), Self.image])) { store in
      _ = try store.write { transaction in
        for id in 0..<5000 {
          let length = id % 100 == 0 ? Self.max + 1 : 1
          try transaction.add(
            "Photo",
            ["id": .int(Int64(id)), "note": Self.text(length), "image": Gallery.value(of: "image", length)])
        }
      }
      // Many keys, so that there are several batches.
      let photo = try store.read { try $0.entity("Photo") }
      let table = try store.environment.table("b.2")
      let image = try #require(photo.attribute(named: "image"))
      try store.environment.write { transaction in
        for row in 6000..<15_000 {
          let key = ContentKey(row: RowNumber(rawValue: UInt64(row)), attribute: image, of: photo)
          try key.withBytes { try transaction.put($0, for: $0, in: table) }
        }
      }
    }
    try folder.with(Gallery.schema([Self.note()])) { store in
      try check(store, [], contents: 50)
    }
  }

  @Test func aRemovedEntityTakesItsContentsAlong() throws {
    let folder = try EvolvingStore()
    try folder.with(Gallery.schema([Self.note()])) { try Self.fill($0) }
    let goal = SchemaGoal.plan(
      MigrationPlan(
        versions: [
          .init(SchemaVersion(1, 0, 0), Gallery.schema([Self.note()])),
          .init(SchemaVersion(2, 0, 0), StoreSchema(entities: [EntityDescription(name: "Other", attributes: [])])),
        ], stages: [.init(from: SchemaVersion(1, 0, 0), to: SchemaVersion(2, 0, 0))], target: SchemaVersion(2, 0, 0)))
    let store = try folder.open(goal)
    store.close()
    #expect(try folder.contents()["b.2"] == nil)
  }

  @Test func longDefaultsAreInside() throws {
    let folder = try EvolvingStore()
    try folder.with(Gallery.schema([])) { store in
      _ = try store.write { _ = try $0.add("Photo", ["id": .int(0)]) }
    }
    let value = Self.text(Self.max * 2)
    try folder.with(Gallery.schema([Self.note(optional: false, default: value)])) { store in
      #expect(try store.value(of: "note", Self.one) == value)
      _ = try store.write { try $0.setValue(.string("x"), of: "title", Self.one) }
      try check(store, [value], contents: 0)
    }
  }

  /// An index needs the values, so they are taken in. That an attribute is indexed and in external storage is refused.
  @Test func anIndexTakesContentsIn() throws {
    let folder = try EvolvingStore()
    try folder.with(Gallery.schema([Self.note(), Self.image])) { store in
      try Self.fill(store)
      _ = try store.write { try $0.setValue(Gallery.value(of: "image", Self.max * 2), of: "image", Self.one) }
    }
    try folder.with(Gallery.schema([Self.note([]), Self.image], indexes: [["note"]])) { store in
      try check(store, Self.stored, contents: 1)
      let rows = try store.read { snapshot in
        try snapshot.rows(where: snapshot.index("Photo", ["note"]), equals: [Self.text(Self.max + 1)])
      }
      #expect(rows == [Self.one])
    }
  }

  @Test(arguments: [true, false])
  func externalStorageAndIndexesExclude(isUnique: Bool) throws {
    var schema = Gallery.schema([Self.note()], indexes: isUnique ? [] : [["title", "note"]])
    if isUnique { schema.entities[1].attributes[2].options.insert(.unique) }
    #expect(throws: SchemaError.externalStorageInIndex(entity: "Photo", attribute: "note")) { try Gallery(schema) }
    var identity = Gallery.schema([Self.note()])
    identity.entities[1].identity = "note"
    #expect(throws: SchemaError.externalStorageInIndex(entity: "Photo", attribute: "note")) { try Gallery(identity) }
  }

  @Test func theOptionHasNoEffectOnWhatIsShort() throws {
    let number = AttributeDescription(name: "number", type: .int64, options: [.externalStorage, .unique])
    let gallery = try Gallery(Gallery.schema([number]))
    _ = try gallery.insert(1, ["number": .int(7)])
    #expect(try gallery.store.environment.tableNames().allSatisfy { !$0.hasPrefix("b.") })
    #expect(try gallery.violations() == [])
  }

  /// Catalogs in which a field that may be outside leads to one that may not.
  @Test func unsoundFormsAreRefused() throws {
    let sound = try CatalogEvolution(
      of: CatalogEvolution(of: CatalogDocument(), to: Gallery.schema([Self.note()])).result,
      to: Gallery.schema([Self.note(), Self.image])
    ).result
    _ = try Catalog(sound)
    let changes: [(inout CatalogDocument.StoredEntity) -> Void] = [
      { $0.formedFields = ["image"] },
      { $0.formedFields = ["image", "note", "id"] },
      { $0.formedFields = ["image", "note", "other"] },
      { $0.earlierLayouts?[0].formedFields = [0] },
      { $0.earlierLayouts?[0].formedFields = [17] },
    ]
    for change in changes {
      var document = sound
      change(&document.entities[1])
      do {
        _ = try Catalog(document)
        Issue.record("\(document.entities[1]) was accepted")
      } catch RecordError.damagedCatalog {}
    }
  }
}
