import Foundation
import Records
import TestSupport

@testable import SwiftSync

/// A store of specimens with random values, many of them at the edges of their types.
struct SpecimenStore {
  static let count = 160
  static let texts = [
    "", "a", "A", "b", "ab", "abc", "Abc", "ABC", "abcdef", "é", "e\u{301}", "e", "É", "école", "e\u{301}cole", "ecole",
    "Straße", "STRASSE", "strasse", "ﬁsh", "fish", "İstanbul", "istanbul", "👍", "👍🏽", "👩‍👩‍👧", "\r\n", "a\r\nb", "a\nb",
    " ", "z", "Z", "\u{0}", "a\u{0}b", "ａ", "한", "\u{1112}\u{1161}\u{11ab}", "item 10", "item 9", "100%", "a_b", "x*y",
    String(repeating: "long ", count: 200), String(repeating: "long ", count: 200) + "tail",
  ]
  static let ints = [0, 1, 2, 3, 5, 7, 10, -1, -2, -10, 100, .max, .min, .max - 1, .min + 1]
  static let doubles: [Double] = [
    0, -0.0, 1, 1.5, -1.5, 2.5, 100, .nan, -.nan, .infinity, -.infinity, .greatestFiniteMagnitude,
    .leastNonzeroMagnitude,
    -.leastNonzeroMagnitude, 0.1 + 0.2, 0.3,
  ]
  static let dates =
    [0, 1, -1, 0.5, 700_000_000, 700_000_000.25, -63_114_076_800, 252_423_993_599, -978_307_200]
    .map { Date(timeIntervalSinceReferenceDate: $0) } + [
      .distantPast, .distantFuture, Date(timeIntervalSinceReferenceDate: .nan),
      Date(timeIntervalSinceReferenceDate: .infinity), Date(timeIntervalSinceReferenceDate: -.greatestFiniteMagnitude),
    ]
  static let decimals = ["0", "1", "-1", "1.10", "1.1", "99999999999999999999.99", "-0.0000000001", "3"]
    .compactMap { Decimal(string: $0) }
  static let uuids = (0..<6).map { UUID(uuid: ($0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255 - $0)) }
  static let urls = ["https://a.example/x", "https://a.example/x?q=1", "file:///tmp/x", "mailto:a@b.example"]
    .compactMap { URL(string: $0) }

  let container: ModelContainer

  /// Fills a store with the indexes and constraints that the models declare, or with none at all.
  init(seed: UInt64, hasIndexes: Bool = true) throws {
    let schema = Schema([Specimen.self])
    var storeSchema = try schema.storeSchema()
    if !hasIndexes {
      for position in storeSchema.entities.indices {
        storeSchema.entities[position].indexes = []
        storeSchema.entities[position].uniquenessConstraints = []
      }
    }
    container = ModelContainer(
      try ContainerCore(
        schema: schema, storeSchema, configuration: ModelConfiguration(isStoredInMemoryOnly: true),
        store: RecordStore.temporary(schema: storeSchema)))
    let context = ModelContext(container)
    var random = SplitMix64(seed: seed)
    Self.fill(context, &random)
    try context.save()
  }

  private static func fill(_ context: ModelContext, _ random: inout SplitMix64) {
    var owners: [SpecimenOwner] = []
    for (number, name) in ["Ann", "ann", "Bo", "Çelik", "", "Zoë"].enumerated() {
      let owner = SpecimenOwner(name: name, nick: number % 2 == 0 ? nil : "n\(number)", age: number * 10)
      owner.born = number % 3 == 0 ? nil : dates[number]
      owner.boss = number % 2 == 1 ? owners.last : nil
      context.insert(owner)
      owners.append(owner)
    }
    let groups = ["x", "y", "z"].map { SpecimenGroup(title: $0) }
    for group in groups { context.insert(group) }
    let labels = (0..<5).map { SpecimenLabel(title: "label \($0)", rank: $0) }
    for label in labels { context.insert(label) }
    var specimens: [Specimen] = []
    for id in 0..<count {
      let specimen = Specimen(id: id, group: groups[random.below(3)])
      context.insert(specimen)
      randomize(specimen, &random)
      specimen.owner = random.below(4) == 0 ? nil : owners[random.below(owners.count)]
      specimen.mentor = random.below(2) == 0 || specimens.isEmpty ? nil : specimens[random.below(specimens.count)]
      specimen.labels = labels.filter { _ in random.below(3) == 0 }
      specimens.append(specimen)
    }
  }

  /// Gives every attribute but the identity a new value.
  static func randomize(_ specimen: Specimen, _ random: inout SplitMix64) {
    func isNil() -> Bool { random.below(4) == 0 }
    specimen.text = random.one(of: texts)
    specimen.nick = isNil() ? nil : random.one(of: texts)
    specimen.int = random.one(of: ints)
    specimen.optionalInt = isNil() ? nil : random.one(of: ints)
    specimen.small = Int8(truncatingIfNeeded: random.next())
    specimen.unsigned = random.one(of: [0, 1, 2, 1 << 63, .max, .max - 1])
    specimen.single = Float(random.one(of: doubles))
    specimen.double = random.one(of: doubles)
    specimen.optionalDouble = isNil() ? nil : random.one(of: doubles)
    specimen.money = random.one(of: decimals)
    specimen.date = random.one(of: dates)
    specimen.optionalDate = isNil() ? nil : random.one(of: dates)
    specimen.uuid = random.one(of: uuids)
    specimen.url = random.one(of: urls)
    specimen.data = Data(random.one(of: texts).utf8)
    specimen.optionalData = isNil() ? nil : Data(random.one(of: texts).utf8)
    specimen.flag = random.below(2) == 0
    specimen.optionalFlag = isNil() ? nil : random.below(2) == 0
    specimen.level = random.one(of: Level.allCases)
    specimen.optionalLevel = isNil() ? nil : random.one(of: Level.allCases)
    specimen.flavor = random.one(of: [.sweet, .sour, .salty])
    specimen.tags = (0..<random.below(4)).map { _ in random.one(of: ["a", "b", "c", "é"]) }
    specimen.scores = random.below(2) == 0 ? [:] : ["x": random.below(5), "y": 2]
    specimen.place = Place(city: random.one(of: ["Ulm", "Rom", ""]), floor: random.below(3))
    specimen.optionalPlace = isNil() ? nil : Place(city: "Ulm", floor: random.below(3))
  }
}

extension SplitMix64 {
  /// One element of a list that is not empty.
  mutating func one<Element>(of elements: [Element]) -> Element {
    elements[below(elements.count)]
  }
}
