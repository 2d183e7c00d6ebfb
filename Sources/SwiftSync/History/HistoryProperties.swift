import Records

/// A class's properties by their numbers in change sets.
struct HistoryProperties {
  private let properties: [Int: ModelProperty]

  init(_ binding: ModelBinding) {
    let entity = binding.entity
    let numbers =
      entity.attributes.map { ($0.name, $0.propertyIndex) }
      + entity.relationships.map { ($0.name, $0.propertyIndex) }
    let numbersByName = Dictionary(numbers, uniquingKeysWith: { first, _ in first })
    let known = binding.table.properties.compactMap { property in
      numbersByName[property.name].map { ($0, property) }
    }
    properties = Dictionary(known, uniquingKeysWith: { first, _ in first })
  }

  /// In the order of their declaration.
  func changed(_ numbers: PropertySet) -> [ModelProperty] {
    numbers.members.compactMap { properties[$0] }.sorted { $0.slot < $1.slot }
  }

  /// What is preserved of the row that stands at a position among the deleted ones.
  func preserved(_ tombstones: Tombstones, at position: Int) -> [(property: ModelProperty, value: FieldValue)] {
    tombstones.properties.compactMap { number in
      guard let property = properties[number], let value = tombstones.value(of: number, at: position) else {
        return nil
      }
      return (property, value)
    }
  }
}
