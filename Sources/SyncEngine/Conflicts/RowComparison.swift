import Records

/// What a payload says of a row, against what the row is here and what the server was last known to have.
struct RowComparison {
  /// A property in which the server's version differs from both.
  struct Difference {
    let server: ServerValue
    /// Nil for a row that was deleted here.
    let local: FieldValue?
    /// Nil when it isn't known.
    let base: FieldValue?
  }

  /// Of which the server has something new that isn't here.
  private(set) var differences: [Difference] = []
  /// The properties in which the row is as the server has it.
  private(set) var agreed = PropertySet()
  /// What the server has and was not known to have.
  private(set) var news: [ServerValue] = []

  private let server: ServerRow
  private let stored: [FieldValue]?
  private let unanswered: PropertySet

  /// - Parameters:
  ///   - server: What the payload says.
  ///   - stored: The same properties of the row here; nil for a row that was deleted.
  ///   - base: What the row was before it was changed here; nil if that isn't known.
  ///   - unanswered: The properties that were sent without an answer: changed here, also where they are as they were before.
  ///   - entity: The row's.
  init(
    _ server: ServerRow, _ stored: [FieldValue]?, _ base: PushBase?, unanswered: PropertySet = PropertySet(),
    _ entity: Entity
  ) {
    self.server = server
    self.stored = stored
    self.unanswered = unanswered
    for (position, value) in server.values.enumerated() {
      let local = stored?[position]
      let before = base?.value(of: value.property, entity)
      let isNew = before.map { !$0.hasSameContent(as: value.value) } ?? true
      if isNew { news.append(value) }
      if let local, value.value.hasSameContent(as: local) {
        agreed.insert(value.property)
      } else if isNew {
        differences.append(Difference(server: value, local: local, base: before))
      }
    }
  }

  /// The names of the properties that are taken from the server when the newer side counts for what both have changed; nil if the
  /// sides have no such timestamp.
  func newest(by timestamp: String) -> Set<String>? {
    guard let position = server.values.firstIndex(where: { $0.name == timestamp }), let local = stored?[position]
    else { return nil }
    let isServerNewer = server.values[position].value.matches(.greater, local)
    let taken = differences.filter { difference in
      if let local = difference.local, let base = difference.base, base.hasSameContent(as: local),
        !unanswered.contains(difference.server.property)
      {
        return true
      }
      return isServerNewer
    }
    return Set(taken.map(\.server.name))
  }
}
