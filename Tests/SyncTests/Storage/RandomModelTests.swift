import Records
import TestSupport
import Testing

@testable import Sync

@Suite("CD-2.8 CD-12.2 Random models are refused, or can be stored whole")
struct RandomModelTests {
  @Test("CD-2.8 What is a model has a schema, and a place in it for every property of every entity", arguments: 1...4)
  func storage(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var made = 0
    var shared = 0
    for _ in 0..<400 {
      let entities = self.entities(&random)
      let model: ManagedObjectModel
      do {
        model = try ManagedObjectModel(entities: entities)
      } catch {
        continue
      }
      made += 1
      let schema = model.storage.schema
      #expect(throws: Never.self, "\(entities)") { try schema.validate() }
      if schema.entities.count < entities.count { shared += 1 }
      for entity in model.entities { check(entity, in: model) }
    }
    #expect(made > 60)
    #expect(shared > 20)
  }

  private func check(_ entity: ModelEntity, in model: ManagedObjectModel) {
    let tables = model.storage.tables[entity.name] ?? []
    #expect(tables.count == 1 || entity.isAbstract)
    for stored in tables {
      let table = model.storage.schema.entity(named: stored.table)
      for attribute in entity.attributes {
        let name = stored.name(of: attribute.name)
        #expect(table?.attributes.contains { $0.name == name } == true, "\(entity.name).\(attribute.name)")
      }
      for relationship in entity.relationships {
        let found = table?.relationships.first { $0.name == stored.name(of: relationship.name) }
        let destination = model.storage.tables[relationship.destination]
        #expect(found?.destination == destination?.first?.table, "\(entity.name).\(relationship.name)")
        #expect((found?.inverse != nil) == (model.inverse(of: relationship) != nil))
      }
      if let key = entity.primaryKeyAttribute { #expect(table?.identity == stored.name(of: key.name)) }
    }
  }

  /// Up to seven entities, most of which inherit, with links between them. Some contradict themselves.
  private func entities(_ random: inout SplitMix64) -> [ModelEntity] {
    let names = ["A", "B", "C", "D", "E", "F", "G"].prefix(2 + random.below(6))
    var relationships: [String: [ModelRelationship]] = [:]
    for number in 0..<random.below(6) {
      guard let owner = random.pick(names), let destination = random.pick(names) else { continue }
      let isPaired = random.chance(60)
      let inverse = "back\(number)"
      relationships[owner, default: []].append(
        random.chance(50)
          ? .toMany("link\(number)", destination, inverse: isPaired ? inverse : nil)
          : .toOne("link\(number)", destination, inverse: isPaired ? inverse : nil, isOptional: random.chance(70)))
      if isPaired {
        relationships[destination, default: []].append(
          .toMany(inverse, random.chance(95) ? owner : destination, inverse: random.chance(70) ? "link\(number)" : nil))
      }
    }
    return names.enumerated().map { position, name in
      let parent = position > 0 && random.chance(60) ? random.pick(names.prefix(position)) : nil
      let attributes = ["id", "x", "y"].filter { _ in random.chance(25) }.map { name in
        ModelAttribute(
          name, random.pick([.integer32, .string]) ?? .string, isOptional: random.chance(70),
          isIndexed: random.chance(20))
      }
      return ModelEntity(
        name, parent: parent, isAbstract: random.chance(30), attributes: attributes,
        relationships: relationships[name] ?? [],
        uniquenessConstraints: attributes.isEmpty || random.chance(80) ? [] : [attributes.map(\.name)])
    }
  }
}
