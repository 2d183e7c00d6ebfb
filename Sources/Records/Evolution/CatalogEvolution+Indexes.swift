extension CatalogEvolution {
  /// The indexes of an entity. One whose entries stay right keeps its number; another one of the same attributes is new.
  mutating func evolvedIndexes(
    of given: EntityDescription, stored: CatalogDocument.StoredEntity?, refilled: Set<String>
  ) -> [CatalogDocument.StoredIndex] {
    var origins: [String: String] = [:]
    for attribute in given.attributes where !refilled.contains(attribute.name) {
      guard let origin = match.attribute(attribute, of: given),
        FieldConversion(from: FieldKind(origin.type), to: FieldKind(attribute.type)) != nil
      else { continue }
      origins[attribute.name] = origin.name
    }
    return given.indexDescriptions.map { index in
      let kept = stored?.indexes.first { old in
        old.isUnique == index.isUnique && old.attributes == index.attributes.compactMap { origins[$0] }
          && old.attributes.count == index.attributes.count
      }
      let id = kept?.id ?? take(\.nextIndexID)
      if kept == nil, stored != nil { work.indexBuilds.append(IndexID(rawValue: id)) }
      return CatalogDocument.StoredIndex(id: id, attributes: index.attributes, isUnique: index.isUnique)
    }
  }
}
