@testable import Records

/// The same operations as a record store's, in dictionaries and arrays and without any cleverness: what the store is
/// compared with.
struct ModelStore: Sendable {
  struct Row: Equatable, Sendable {
    var values: [String: FieldValue] = [:]
    var toOne: [String: RowNumber] = [:]
    var toMany: [String: [RowNumber]] = [:]
  }

  let schema: StoreSchema
  private(set) var rows: [String: [RowNumber: Row]] = [:]
  private var nextRow: [String: UInt64] = [:]
  /// Whether a link leads to a row that does not exist: the transaction cannot be committed.
  private(set) var hasDanglingLink = false
  /// The deleted rows that the to-one relationships of others led to when they were deleted.
  private(set) var lostDestinations: [LinkEnd: RowNumber] = [:]
  /// The deleted rows' relationships with a deny rule, and the rows to which they led that were not deleted along.
  private(set) var denials: [LinkEnd: [RowNumber]] = [:]
  /// Rows that were touched without a change.
  private(set) var touched: [String: Set<RowNumber>] = [:]

  init(_ schema: StoreSchema) {
    self.schema = schema
    for entity in schema.entities {
      rows[entity.name] = [:]
      nextRow[entity.name] = 1
    }
  }

  func row(_ number: RowNumber, of entity: String) -> Row? { rows[entity]?[number] }

  func description(_ entity: String, _ relationship: String) -> RelationshipDescription? {
    schema.entity(named: entity)?.relationships.first { $0.name == relationship }
  }

  mutating func beginTransaction() {
    touched = [:]
    lostDestinations = [:]
    denials = [:]
  }

  // MARK: Rows

  mutating func insert(_ entity: String, values: [String: FieldValue], links: [String: RowNumber]) -> RowNumber {
    let number = RowNumber(rawValue: nextRow[entity, default: 1])
    nextRow[entity] = number.rawValue + 1
    rows[entity]?[number] = Row(values: values)
    for (relationship, target) in inOrder(links, of: entity) { setToOne(entity, relationship, number, to: target) }
    return number
  }

  /// The names of the properties that were to change.
  mutating func update(
    _ entity: String, _ number: RowNumber, values: [String: FieldValue], links: [String: RowNumber?]
  ) -> Set<String> {
    guard let old = row(number, of: entity) else { return [] }
    var changed: Set<String> = []
    for (name, value) in values where !ModelStore.isSameContent(old.values[name] ?? .null, value) {
      rows[entity]?[number]?.values[name] = value
      changed.insert(name)
    }
    let different = links.filter { $0.value != old.toOne[$0.key] }
    for (relationship, target) in inOrder(different, of: entity) {
      setToOne(entity, relationship, number, to: target)
      changed.insert(relationship)
    }
    return changed
  }

  mutating func touch(_ entity: String, _ number: RowNumber) {
    touched[entity, default: []].insert(number)
  }

  /// Texts are the same content only if they are spelled alike, and zeros only if they have one sign.
  static func isSameContent(_ left: FieldValue, _ right: FieldValue) -> Bool {
    switch (left, right) {
    case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
    case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern
    case (.date(let left), .date(let right)):
      left.timeIntervalSinceReferenceDate.bitPattern == right.timeIntervalSinceReferenceDate.bitPattern
    default: left == right
    }
  }

  /// Links whose other direction is to-many come first, and one-to-one links are set one by one after them.
  private func inOrder<Target>(_ links: [String: Target], of entity: String) -> [(String, Target)] {
    let names = schema.entity(named: entity)?.relationships.map(\.name) ?? []
    let sorted = names.compactMap { name in links[name].map { (name, $0) } }
    return sorted.filter { !isOneToOne(entity, $0.0) } + sorted.filter { isOneToOne(entity, $0.0) }
  }

  func isOneToOne(_ entity: String, _ relationship: String) -> Bool {
    guard let description = description(entity, relationship), !description.isToMany else { return false }
    return inverse(entity, relationship).map { !$0.isToMany } ?? false
  }

  // MARK: Links

  func inverse(_ entity: String, _ relationship: String) -> RelationshipDescription? {
    guard let owner = schema.entity(named: entity), let description = description(entity, relationship),
      let name = schema.inverseName(of: description, in: owner)
    else { return nil }
    return self.description(description.destination, name)
  }

  private mutating func link(_ entity: String, _ relationship: String, _ owner: RowNumber, _ member: RowNumber) {
    guard let description = description(entity, relationship) else { return }
    guard row(owner, of: entity) != nil, row(member, of: description.destination) != nil else {
      hasDanglingLink = true
      return
    }
    attach(entity, description, owner, member)
    if let inverse = inverse(entity, relationship) { attach(description.destination, inverse, member, owner) }
  }

  private mutating func unlink(_ entity: String, _ relationship: String, _ owner: RowNumber, _ member: RowNumber) {
    guard let description = description(entity, relationship) else { return }
    detach(entity, description, owner, member)
    if let inverse = inverse(entity, relationship) { detach(description.destination, inverse, member, owner) }
  }

  private mutating func attach(
    _ entity: String, _ relationship: RelationshipDescription, _ owner: RowNumber, _ member: RowNumber
  ) {
    if relationship.isToMany {
      rows[entity]?[owner]?.toMany[relationship.name, default: []].append(member)
    } else {
      rows[entity]?[owner]?.toOne[relationship.name] = member
      lostDestinations[LinkEnd(entity: entity, row: owner, relationship: relationship.name)] = nil
    }
  }

  private mutating func detach(
    _ entity: String, _ relationship: RelationshipDescription, _ owner: RowNumber, _ member: RowNumber
  ) {
    if relationship.isToMany {
      rows[entity]?[owner]?.toMany[relationship.name]?.removeAll { $0 == member }
    } else if rows[entity]?[owner]?.toOne[relationship.name] == member {
      rows[entity]?[owner]?.toOne[relationship.name] = nil
    }
  }

  private mutating func setToOne(_ entity: String, _ relationship: String, _ owner: RowNumber, to target: RowNumber?) {
    guard let description = description(entity, relationship) else { return }
    let current = row(owner, of: entity)?.toOne[relationship]
    if current == target { return }
    if let current { unlink(entity, relationship, owner, current) }
    guard let target else { return }
    if let inverse = inverse(entity, relationship), !inverse.isToMany,
      let previous = row(target, of: description.destination)?.toOne[inverse.name]
    {
      unlink(entity, relationship, previous, target)
    }
    link(entity, relationship, owner, target)
  }

  func members(_ entity: String, _ relationship: String, _ owner: RowNumber) -> [RowNumber] {
    row(owner, of: entity)?.toMany[relationship] ?? []
  }

  mutating func setMembers(
    _ entity: String, _ relationship: String, _ owner: RowNumber, to members: [RowNumber]
  ) -> Bool {
    var wanted: [RowNumber] = []
    for member in members where !wanted.contains(member) { wanted.append(member) }
    let before = self.members(entity, relationship, owner)
    if before == wanted { return false }
    for member in before where !wanted.contains(member) { unlink(entity, relationship, owner, member) }
    for member in wanted where !before.contains(member) { addMember(entity, relationship, owner, member) }
    if !hasDanglingLink { rows[entity]?[owner]?.toMany[relationship] = wanted }
    return true
  }

  mutating func insertMembers(
    _ entity: String, _ relationship: String, _ owner: RowNumber, _ members: [RowNumber]
  ) -> Bool {
    var isChanged = false
    for member in members where !self.members(entity, relationship, owner).contains(member) {
      addMember(entity, relationship, owner, member)
      isChanged = true
    }
    return isChanged
  }

  mutating func removeMembers(
    _ entity: String, _ relationship: String, _ owner: RowNumber, _ members: [RowNumber]
  ) -> Bool {
    var isChanged = false
    for member in members where self.members(entity, relationship, owner).contains(member) {
      unlink(entity, relationship, owner, member)
      isChanged = true
    }
    return isChanged
  }

  private mutating func addMember(
    _ entity: String, _ relationship: String, _ owner: RowNumber, _ member: RowNumber
  ) {
    guard let description = description(entity, relationship) else { return }
    if let inverse = inverse(entity, relationship), !inverse.isToMany {
      setToOne(description.destination, inverse.name, member, to: owner)
    } else {
      link(entity, relationship, owner, member)
    }
  }

  // MARK: Deletion

  struct RowName: Hashable {
    var entity: String
    var number: RowNumber
  }

  mutating func delete(_ entity: String, _ number: RowNumber) {
    var doomed: [RowName] = [RowName(entity: entity, number: number)]
    var position = 0
    while position < doomed.count {
      for (_, next) in farRows(of: doomed[position], rule: .cascade) where !doomed.contains(next) {
        doomed.append(next)
      }
      position += 1
    }
    for name in doomed {
      for (relationship, next) in farRows(of: name, rule: .deny) where !doomed.contains(next) {
        let end = LinkEnd(entity: name.entity, row: name.number, relationship: relationship)
        denials[end, default: []].append(next.number)
      }
    }
    for name in doomed { unlinkAll(name) }
    for name in doomed { rows[name.entity]?[name.number] = nil }
  }

  private func farRows(of name: RowName, rule: DeleteRule) -> [(relationship: String, row: RowName)] {
    guard let row = row(name.number, of: name.entity), let entity = schema.entity(named: name.entity) else { return [] }
    return entity.relationships.filter { $0.deleteRule == rule }.flatMap { relationship in
      let rows = (row.toMany[relationship.name] ?? []) + (row.toOne[relationship.name].map { [$0] } ?? [])
      return rows.map { (relationship.name, RowName(entity: relationship.destination, number: $0)) }
    }
  }

  /// Goes through every relationship of every row, so that it needs no inverses.
  private mutating func unlinkAll(_ name: RowName) {
    for entity in schema.entities {
      for relationship in entity.relationships where relationship.destination == name.entity {
        for owner in Array((rows[entity.name] ?? [:]).keys) {
          rows[entity.name]?[owner]?.toMany[relationship.name]?.removeAll { $0 == name.number }
          if rows[entity.name]?[owner]?.toOne[relationship.name] == name.number {
            rows[entity.name]?[owner]?.toOne[relationship.name] = nil
            lostDestinations[LinkEnd(entity: entity.name, row: owner, relationship: relationship.name)] = name.number
          }
        }
      }
    }
  }

  // MARK: Indexes

  /// The rows that have these values, in ascending order.
  func rows(_ entity: String, _ attributes: [String], equal values: [FieldValue]) -> [RowNumber] {
    (rows[entity] ?? [:]).filter { _, row in
      zip(attributes, values).allSatisfy { (row.values[$0] ?? .null) == $1 }
    }.keys.sorted()
  }

  /// Whether two rows have the same values, none of them null.
  func hasConflict(_ entity: String, _ attributes: [String]) -> Bool {
    var seen: Set<[FieldValue]> = []
    return (rows[entity] ?? [:]).values.contains { row in
      let key = attributes.map { row.values[$0] ?? .null }
      return !key.contains(.null) && !seen.insert(key).inserted
    }
  }

  var hasConflict: Bool {
    schema.entities.contains { entity in
      entity.indexDescriptions.contains { $0.isUnique && hasConflict(entity.name, $0.attributes) }
    }
  }
}
