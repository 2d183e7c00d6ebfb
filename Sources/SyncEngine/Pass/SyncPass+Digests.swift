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
  /// The first ones, in the order of the payload, and those of the batch.
  private(set) var hits: [Hit] = []
  /// How many rows of the batch are hits.
  private(set) var batchHitCount = 0
  private var nextHit = 0
  /// The digests that rows get for the next time.
  private(set) var new: [RowWithDigest] = []
  private var isRemoved: Set<RowNumber> = []

  /// Begins a batch. Of the hits so far the report needs the first ones only.
  mutating func beginBatch() {
    if hits.count > SyncReport.detailsMax {
      var seen: Set<RowNumber> = []
      hits = Array(hits.filter { seen.insert($0.row).inserted }.prefix(SyncReport.detailsMax))
    }
    nextHit = hits.count
    batchHitCount = 0
  }

  mutating func append(_ hit: Hit) {
    hits.append(hit)
    batchHitCount += 1
  }

  /// Whether a row of the batch is a hit. Asked of one position after another.
  mutating func isHit(_ position: Int) -> Bool {
    guard nextHit < hits.count, hits[nextHit].position == position else { return false }
    nextHit += 1
    return true
  }

  mutating func add(_ digest: RowDigest, of row: RowNumber) { new.append(RowWithDigest(row: row, digest: digest)) }

  /// Takes a row's new digest back.
  mutating func remove(_ row: RowNumber) { isRemoved.insert(row) }

  /// The new digests, which are gone then.
  mutating func takeNew() -> [RowWithDigest] {
    if !isRemoved.isEmpty { new.removeAll { isRemoved.contains($0.row) } }
    defer { new = [] }
    return new
  }
}

/// Rows have to be looked at together after all: another object of the payload speaks of one that was told by its text or came
/// in another batch, or of what it shows. If all rows are in one batch, this is thrown before anything is written.
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

  /// Reads the digests of the target's rows, if there is a use for them.
  func loadDigests(_ identity: IdentityPlan) throws {
    // Two rows of the store with one identity are made one by a pass that looks at both.
    guard usesDigests, rules == .all, rows.isCollection, rows.haveTexts, identity.index.isUnique else { return }
    digests.context = digestContext()
    let count = try transaction.digestCount(of: target.entity)
    guard count > 0, rows.count * Self.digestsPerRowMax >= count else { return }
    digests.known = KnownRows(try KnownDigests(of: target.entity, in: transaction))
  }

  /// What is done with rows as soon as they are found in the text.
  var reading: RowReading {
    RowReading(keys: target.plan.keys, digestContext: digests.context, known: digests.known.digests)
  }

  /// Finds the rows of the batch that say nothing new.
  func findKnownRows() throws {
    digests.beginBatch()
    if digests.known.digests == nil { return }
    for position in batch.rows {
      if let digest = batch.digest(position), let row = try digests.known.find(digest) {
        digests.append(PassDigests.Hit(position: position, row: row))
      }
    }
  }

  private func digestContext() -> RowDigest {
    let convention = request.convention
    let parent = request.scope.parent.map { "\($0.relationship) \($0.row.rawValue)" } ?? ""
    var text = "\(Self.mappingVersion) \(convention.keyStyle) \(convention.unreadableValues) \(parent)"
    return text.withUTF8 { RowDigest(of: UnsafeRawBufferPointer($0)) }
  }

  /// Notes that an object which was read speaks of a row.
  ///
  /// - Throws: `EntangledRows` if the row was told by its text.
  func noteRead(_ item: PayloadItem, of pass: EntityPass) throws {
    if pass === target, let row = pass.slot(item.slot).row { try digests.known.noteRead(row) }
  }

  /// Looks, before anything is written, whether the payload shows both ends of a relationship of its rows. What one row says
  /// can be undone by another then.
  ///
  /// - Throws: `EntangledRows` if it does, and there are rows that were told by their texts, or came in another batch.
  func checkDigests() throws {
    guard digests.context != nil else { return }
    let own = target.batch.shownRelationships
    for pass in entities {
      let shown = pass === target ? own : pass.batch.shownRelationships
      for (plan, isShown) in zip(pass.plan.relationships, shown) where isShown {
        guard let position = target.plan.inverse(of: plan) else { continue }
        let inverse = target.plan.relationships[position].relationship
        let isKnown = target.entity.bit(ofMembers: inverse.propertyIndex) & digests.known.foundMembers != 0
        // Rows that were told by their texts may show any to-one relationship.
        guard own[position] || isKnown || !inverse.isToMany else { continue }
        if digests.known.foundCount > 0 || rows.isDivided { throw EntangledRows() }
        digests.context = nil
        return
      }
    }
  }

  /// What one row says can be undone by another if the payload shows both ends of a relationship. Then all links are made when all
  /// rows are written.
  ///
  /// - Throws: `EntangledRows` if that is so, and the rows come in batches.
  func checkEnds() throws {
    guard rows.isDivided else { return }
    let shown = target.batch.shownRelationships
    for (plan, isShown) in zip(target.plan.relationships, shown) where isShown {
      guard let position = target.plan.inverse(of: plan) else { continue }
      if shown[position] || !target.plan.relationships[position].relationship.isToMany { throw EntangledRows() }
    }
  }

  /// Makes digests for the rows of the batch that need not be read the next time.
  func makeDigests() {
    guard digests.context != nil else { return }
    let bits = target.plan.relationships.map { target.entity.bit(ofMembers: $0.relationship.propertyIndex) }
    target.forEachRow { slot, items in
      guard items.count == 1, let item = items.first, !item.isNested, !target.batch.dependentSlots.contains(slot),
        let row = target.slot(slot).row, let digest = batch.digest(item.row)
      else { return }
      var members: UInt8 = 0
      for link in target.batch.links[item.links] {
        let plan = target.plan.relationships[link.relationship]
        if plan.isExclusive { return }
        members |= bits[link.relationship]
      }
      digests.add(RowDigest(high: digest.high, low: digest.low, shownMembers: members), of: row)
    }
  }

  /// Gives the rows their digests. What is written after this makes them void.
  func setDigests() {
    let new = digests.takeNew()
    if !new.isEmpty { transaction.setDigests(new, target.entity) }
  }
}
