import TestSupport
import Testing

@testable import Records

/// A store follows random changes of relationships while rows are linked, unlinked and deleted, and is compared with links in
/// memory.
@Suite struct RandomLinkEvolutionTests {
  @Test(arguments: 1...12)
  func linksAgreeWithThoseInMemory(seed: UInt64) throws {
    var world = LinkWorld(seed: seed)
    let folder = try EvolvingStore()
    for _ in 0..<15 {
      world.changeSchema()
      try folder.with(world.schema) { store in
        #expect(try store.violations() == [])
        #expect(try store.members() == world.expectedMembers)
        for _ in 0..<3 {
          let edits = world.edit()
          _ = try store.write { transaction in for edit in edits { try edit.apply(to: transaction) } }
          #expect(try store.violations() == [])
          #expect(try store.members() == world.expectedMembers)
        }
      }
    }
  }
}

/// Links between the rows of two entities, whatever relationships they are seen through.
private struct LinkWorld {
  /// One of the two ways to go along links; nil as a name: no relationship is declared for it.
  struct End {
    var entity: String
    var name: String?
    var originalName: String?
    var isToMany = true
  }

  /// What one relationship, or two inverse ones, lead along. Each link has a row at each end.
  struct Bundle {
    var ends: [End]
    var links: Set<[UInt64]> = []

    /// Whether every row at an end has one link at most.
    func isSingle(at end: Int) -> Bool {
      Set(links.map { $0[end] }).count == links.count
    }

    func isToOne(_ end: Int) -> Bool { ends[end].name != nil && !ends[end].isToMany }

    /// Links two rows, seen from an end. A row that may have one link leaves the one that it had.
    mutating func link(_ row: UInt64, to other: UInt64, from end: Int) {
      let link = end == 0 ? [row, other] : [other, row]
      if links.contains(link) { return }
      for end in 0...1 where isToOne(end) { links = links.filter { $0[end] != link[end] } }
      links.insert(link)
    }
  }

  enum Edit: Sendable {
    case insert(entity: String)
    case delete(entity: String, row: UInt64)
    case link(entity: String, name: String, row: UInt64, other: UInt64)
    case unlink(entity: String, name: String, row: UInt64, other: UInt64)

    func apply(to transaction: RecordTransaction) throws {
      switch self {
      case .insert(let entity): try transaction.add(entity, [:])
      case .delete(let entity, let row):
        _ = try transaction.delete(RowNumber(rawValue: row), of: transaction.entity(entity))
      case .link(let entity, let name, let row, let other):
        try change(entity, name, row, to: other, in: transaction) {
          _ = try transaction.insertMembers([RowNumber(rawValue: other)], of: $0, owner: RowNumber(rawValue: row))
        }
      case .unlink(let entity, let name, let row, let other):
        try change(entity, name, row, to: nil, in: transaction) {
          _ = try transaction.removeMembers([RowNumber(rawValue: other)], of: $0, owner: RowNumber(rawValue: row))
        }
      }
    }

    private func change(
      _ entity: String, _ name: String, _ row: UInt64, to other: UInt64?, in transaction: RecordTransaction,
      _ changeMembers: (Relationship) throws -> Void
    ) throws {
      let relationship = try #require(try transaction.entity(entity).relationship(named: name))
      guard let field = relationship.field else { return try changeMembers(relationship) }
      _ = try transaction.edit(entity, RowNumber(rawValue: row)) { builder, _ in
        builder.setRow(field, other.map(RowNumber.init(rawValue:)))
      }
    }
  }

  static let entities = ["A", "B"]

  private var random: SplitMix64
  private(set) var bundles: [Bundle] = []
  private var rows: [String: [UInt64]] = ["A": [], "B": []]
  private var nextRows: [String: UInt64] = ["A": 1, "B": 1]
  private var nextName = 0

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  var schema: StoreSchema {
    StoreSchema(
      entities: Self.entities.map { entity in
        EntityDescription(
          name: entity, attributes: [AttributeDescription(name: "text", type: .string, isOptional: true)],
          relationships: bundles.flatMap { bundle in
            (0...1).compactMap { end in bundle.ends[end].entity == entity ? relationship(end, of: bundle) : nil }
          })
      })
  }

  private func relationship(_ end: Int, of bundle: Bundle) -> RelationshipDescription? {
    let (near, far) = (bundle.ends[end], bundle.ends[1 - end])
    guard let name = near.name else { return nil }
    return RelationshipDescription(
      name: name, destination: far.entity, isToMany: near.isToMany, inverse: far.name, originalName: near.originalName)
  }

  /// By relationship and row: the rows that it leads to, in the order of their numbers.
  var expectedMembers: [String: [UInt64]] {
    var result: [String: [UInt64]] = [:]
    for bundle in bundles {
      for (end, near) in bundle.ends.enumerated() {
        guard let name = near.name else { continue }
        for row in rows[near.entity] ?? [] {
          result["\(name) \(row)"] = bundle.links.filter { $0[end] == row }.map { $0[1 - end] }.sorted()
        }
      }
    }
    return result
  }

  // MARK: Schema

  mutating func changeSchema() {
    for (place, end) in places { bundles[place].ends[end].originalName = nil }
    if bundles.count < 2 || random.chance(25) { addBundle() }
    // One end at a time: links are known by the relationship that stays.
    for place in bundles.indices where random.chance(60) { change(place, random.below(2)) }
    bundles.removeAll { $0.ends.allSatisfy { $0.name == nil } }
  }

  private var places: [(Int, Int)] { bundles.indices.flatMap { place in [(place, 0), (place, 1)] } }

  private mutating func addBundle() {
    let ends = (0...1).map { _ in End(entity: random.pick(Self.entities) ?? "A", isToMany: random.chance(60)) }
    var bundle = Bundle(ends: ends)
    bundle.ends[0].name = newName()
    if random.chance(50) { bundle.ends[1].name = newName() }
    bundles.append(bundle)
  }

  private mutating func newName() -> String {
    nextName += 1
    return "r\(nextName)"
  }

  private mutating func change(_ place: Int, _ end: Int) {
    guard let name = bundles[place].ends[end].name else {
      bundles[place].ends[end].isToMany = !bundles[place].isSingle(at: end) || random.chance(50)
      bundles[place].ends[end].name = newName()
      return
    }
    switch random.below(4) {
    case 0: bundles[place].ends[end].name = nil
    case 1:
      bundles[place].ends[end].originalName = name
      bundles[place].ends[end].name = newName()
    default:
      let isToMany = !bundles[place].ends[end].isToMany
      if isToMany || bundles[place].isSingle(at: end) { bundles[place].ends[end].isToMany = isToMany }
    }
  }

  // MARK: Rows

  mutating func edit() -> [Edit] {
    var edits: [Edit] = []
    for entity in Self.entities where random.chance(60) {
      let row = nextRows[entity, default: 1]
      rows[entity, default: []].append(row)
      nextRows[entity] = row + 1
      edits.append(.insert(entity: entity))
    }
    for (place, end) in places.shuffled(using: &random) {
      let (near, far) = (bundles[place].ends[end], bundles[place].ends[1 - end])
      guard let name = near.name, let row = random.pick(rows[near.entity] ?? []),
        let other = random.pick(rows[far.entity] ?? [])
      else { continue }
      if random.chance(75) {
        bundles[place].link(row, to: other, from: end)
        edits.append(.link(entity: near.entity, name: name, row: row, other: other))
      } else if bundles[place].links.remove(end == 0 ? [row, other] : [other, row]) != nil {
        edits.append(.unlink(entity: near.entity, name: name, row: row, other: other))
      }
    }
    if random.chance(25), let entity = random.pick(Self.entities), let row = random.pick(rows[entity] ?? []) {
      rows[entity]?.removeAll { $0 == row }
      for (place, end) in places where bundles[place].ends[end].entity == entity {
        bundles[place].links = bundles[place].links.filter { $0[end] != row }
      }
      edits.append(.delete(entity: entity, row: row))
    }
    return edits
  }
}

extension RecordStore {
  /// What relationships lead to, as `LinkWorld.expectedMembers` has it.
  fileprivate func members() throws -> [String: [UInt64]] {
    try read { snapshot in
      var result: [String: [UInt64]] = [:]
      for entity in LinkWorld.entities {
        for (row, values) in try snapshot.rows(entity) {
          for (name, text) in values where name != "text" {
            result["\(name) \(row)"] = text.split(separator: " ").compactMap { UInt64($0) }.sorted()
          }
        }
      }
      return result
    }
  }
}
