import Records

/// What a pass knows of rows by their texts alone.
struct PassDigests {
  /// A row of the payload that says what an earlier one said, of which nothing has changed since.
  struct Hit {
    let position: Int
    let row: RowNumber
  }

  /// The digest of everything but the text that decides how a row is read; nil if the pass has no use for digests.
  var context: RowDigest?
  var known = KnownRows()
  /// In the order of the payload.
  var hits: [Hit] = []
  private var nextHit = 0

  /// Whether a row of the payload is a hit. Asked of one position after another.
  mutating func isKnown(_ position: Int) -> Bool {
    guard nextHit < hits.count, hits[nextHit].position == position else { return false }
    nextHit += 1
    return true
  }
}

/// Rows that were told by their texts have to be read after all: another object of the payload speaks of one of them, or of
/// what it shows. Thrown before anything is written.
struct EntangledRows: Error {}

/// Rows whose text is the one of the last sync are left out of a pass: neither they nor their records are looked at.
///
/// That is right only if a row's objects alone decide what becomes of it, and would change nothing this time. So a row gets a
/// digest only if it is one object, was read without a remark, has no nested objects, and shows no relationship whose
/// members another row could take. And no row has one if the payload shows both ends of a relationship. Any change from elsewhere removes the digest (`RecordTransaction.setDigest`).
extension SyncPass {
  /// Raised whenever a row's text may come to mean something else.
  private static let mappingVersion = 1

  /// With fewer rows than one in so many of those that have digests, reading the rows is less work than reading the digests.
  private static let digestsPerRowMax = 8

  /// Finds the rows of the payload that say nothing new.
  func findKnownRows(_ identity: IdentityPlan) throws {
    // Two rows of the store with one identity are made one by a pass that looks at both.
    guard usesDigests, operations == .all, rows.isCollection, rows.haveTexts, identity.index.isUnique else { return }
    let context = digestContext()
    digests.context = context
    guard rows.count * Self.digestsPerRowMax >= (try transaction.digestCount(of: target.entity)) else { return }
    digests.known = try KnownRows(of: target.entity, in: transaction)
    if digests.known.isEmpty { return }
    for position in 0..<rows.count {
      if let text = rows.text(position), let row = digests.known.find(RowDigest(of: text, in: context)) {
        digests.hits.append(PassDigests.Hit(position: position, row: row))
      }
    }
  }

  private func digestContext() -> RowDigest {
    let convention = request.convention
    let parent = request.scope.parent.map { "\($0.relationship) \($0.row.rawValue)" } ?? ""
    var text = "\(Self.mappingVersion) \(convention.keyStyle) \(convention.unreadableValues) \(parent)"
    return text.withUTF8 { RowDigest(of: UnsafeRawBufferPointer($0)) }
  }

  /// - Throws: `EntangledRows` for an object that speaks of a row which was told by its text.
  func checkIsUnknown(_ item: PayloadItem, of pass: EntityPass) throws {
    if pass === target, let row = pass.slot(item.slot)?.row, digests.known.contains(row) { throw EntangledRows() }
  }

  /// Looks, before anything is written, whether the payload shows both ends of a relationship of its rows. What one row says
  /// can be undone by another then.
  ///
  /// - Throws: `EntangledRows` if it does, and there are rows that were told by their texts.
  func checkDigests() throws {
    guard digests.context != nil else { return }
    let own = target.shownRelationships
    for pass in entities {
      let shown = pass === target ? own : pass.shownRelationships
      for (plan, isShown) in zip(pass.plan.relationships, shown) where isShown {
        let position = target.plan.relationships.firstIndex { $0.relationship.id == plan.relationship.inverse }
        guard let position else { continue }
        let inverse = target.plan.relationships[position].relationship
        let isKnown = target.entity.bit(ofMembers: inverse.propertyIndex) & digests.known.foundMembers != 0
        // Rows that were told by their texts may show any to-one relationship.
        guard own[position] || isKnown || !inverse.isToMany else { continue }
        if !digests.hits.isEmpty { throw EntangledRows() }
        digests.context = nil
        return
      }
    }
  }

  /// Gives the rows of the payload digests for the next time. What is written after this makes them void.
  func setDigests() {
    guard let context = digests.context else { return }
    let bits = target.plan.relationships.map { target.entity.bit(ofMembers: $0.relationship.propertyIndex) }
    target.forEachRow { slot, items in
      guard items.count == 1, let item = items.first, !item.isNested, !target.dependentSlots.contains(slot),
        let row = target.slot(slot)?.row, let text = rows.text(item.row)
      else { return }
      var members: UInt8 = 0
      for link in target.links[item.links] {
        let plan = target.plan.relationships[link.relationship]
        if plan.isExclusive { return }
        members |= bits[link.relationship]
      }
      let digest = RowDigest(of: text, in: context, shownMembers: members)
      transaction.setDigest(digest, of: row, target.entity)
    }
  }
}
