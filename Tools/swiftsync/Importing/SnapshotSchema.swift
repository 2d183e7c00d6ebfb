import Records
import SyncEngine

/// Reads the schema of a snapshot: the opposite of `JSONWriter.write(_: StoreSchema)`.
enum SnapshotSchema {
  static func read(_ list: PayloadValue) throws(SnapshotError) -> StoreSchema {
    StoreSchema(entities: try map(list, at: "/schema", entity))
  }

  private static func entity(_ value: PayloadValue, at pointer: String) throws(SnapshotError) -> EntityDescription {
    EntityDescription(
      name: try text("name", of: value, at: pointer),
      attributes: try map(value.member("attributes"), at: "\(pointer)/attributes", attribute),
      relationships: try map(value.member("relationships"), at: "\(pointer)/relationships", relationship),
      identity: value.member("identity")?.string, identityRemoteKey: value.member("identityRemoteKey")?.string,
      uniquenessConstraints: lists(value.member("unique")), indexes: lists(value.member("indexes")))
  }

  private static func attribute(_ value: PayloadValue, at pointer: String) throws(SnapshotError) -> AttributeDescription
  {
    var options: AttributeOptions = []
    if flag("unique", of: value) { options.insert(.unique) }
    if flag("preserveValueOnDeletion", of: value) { options.insert(.preserveValueOnDeletion) }
    if flag("externalStorage", of: value) { options.insert(.externalStorage) }
    return AttributeDescription(
      name: try text("name", of: value, at: pointer), type: try word("type", of: value, at: pointer),
      isOptional: flag("optional", of: value), options: options, remoteKey: value.member("remoteKey")?.string,
      isExported: !flag("notExported", of: value), originalName: value.member("originalName")?.string)
  }

  private static func relationship(
    _ value: PayloadValue, at pointer: String
  ) throws(SnapshotError) -> RelationshipDescription {
    RelationshipDescription(
      name: try text("name", of: value, at: pointer), destination: try text("destination", of: value, at: pointer),
      isToMany: flag("toMany", of: value), isOptional: flag("optional", of: value),
      inverse: value.member("inverse")?.string, deleteRule: try word("deleteRule", of: value, at: pointer),
      remoteKey: value.member("remoteKey")?.string, isExported: !flag("notExported", of: value),
      originalName: value.member("originalName")?.string)
  }

  // MARK: Members

  private static func map<Result>(
    _ list: PayloadValue?, at pointer: String, _ body: (PayloadValue, String) throws(SnapshotError) -> Result
  ) throws(SnapshotError) -> [Result] {
    var results: [Result] = []
    guard let list else { return results }
    for (position, element) in try SnapshotValue.elements(list, at: pointer).enumerated() {
      results.append(try body(element, "\(pointer)/\(position)"))
    }
    return results
  }

  private static func text(
    _ key: String, of value: PayloadValue, at pointer: String
  ) throws(SnapshotError) -> String {
    guard let member = value.member(key), member.kind == .string else {
      throw .missing(member: key, pointer: pointer)
    }
    return member.string
  }

  private static func word<Word: RawRepresentable<String>>(
    _ key: String, of value: PayloadValue, at pointer: String
  ) throws(SnapshotError) -> Word {
    let text = try text(key, of: value, at: pointer)
    guard let word = Word(rawValue: text) else {
      throw .unreadable(pointer: "\(pointer)/\(key)", value: text, expected: "a \(key) that this tool knows")
    }
    return word
  }

  private static func flag(_ key: String, of value: PayloadValue) -> Bool { value.member(key)?.isTrue ?? false }

  private static func lists(_ value: PayloadValue?) -> [[String]] {
    value?.elements.map { $0.elements.map(\.string) } ?? []
  }
}
