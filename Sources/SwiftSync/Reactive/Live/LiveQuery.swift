import Contexts
import Records

/// A query whose result is kept up to date with what is committed: all of it that does not depend on the class of its objects.
///
/// It belongs to a context. In each round its context's `LiveQueries` tell it of changed rows that may concern it; from these it
/// finds out whether to fetch again. Nothing here runs code of the application but predicates and orders.
class LiveQuery {
  /// What a round does to the query; each includes what is before it.
  enum Verdict: Comparable {
    case none
    /// Objects that it has, or what is shown with them, have other values.
    case refresh
    /// It may have other rows, or in another order.
    case refetch
  }

  /// What others have stored in rows while this context had unsaved edits of them.
  struct Conflict {
    var properties = PropertySet()
    var isDeletion = false
  }

  /// Its number in its context's directory.
  var number = 0
  let interest: LiveInterest
  let scope: LiveScope?
  /// What must be true of rows beside the scope.
  let condition: Condition
  /// Whether the condition says all that the predicate does.
  let isExact: Bool
  let window: Window
  /// Says it when the value has changed.
  var onChange: () -> Void = {}
  /// Wakes those who iterate over the values.
  let ticks = Ticks()
  /// Hears what rounds cost; nil if nobody asks.
  let listener: ReadListener?
  /// What the query asks for, without the values that it asks for, as reports name it.
  let shape: String
  /// Whether it is noted what others do to rows with unsaved edits.
  let watchesEdits: Bool

  /// The rows, in order.
  private(set) var rowNumbers: [RowNumber] = []
  private lazy var rowSet: Set<RowNumber> = []
  private var isRowSetCurrent = false
  /// The rows that the scope's identity means.
  private(set) var scopeRows: [RowNumber] = []
  private var filter: RecordFilter?

  /// The number of the value: each that is delivered has the next one.
  private(set) var version = 0
  /// Why the last fetch failed. The rows are then those of the last that did not.
  private(set) var failure: (any Error)?
  var activity = SyncReadActivity()
  var conflict: Conflict?

  /// What the present round has found out.
  private(set) var verdict = Verdict.none
  private var round = 0
  private var rowVersions = RowVersions()

  /// How many rows the query has at most, and where they begin.
  struct Window {
    var offset = 0
    var limit: Int?
    /// The order, to tell what comes behind the last row; nil if the store does not know it.
    var places: OrderPlaces?
  }

  init(
    interest: LiveInterest, scope: LiveScope?, condition: Condition, isExact: Bool, window: Window, shape: String,
    listener: ReadListener?, watchesEdits: Bool
  ) {
    self.interest = interest
    self.scope = scope
    self.condition = condition
    self.isExact = isExact
    self.window = window
    self.shape = shape
    self.listener = listener
    self.watchesEdits = watchesEdits
  }

  // MARK: Fetching

  /// Fetches the rows of which a condition, the scope's, is true.
  func fetch(where scope: Condition, in context: ModelContext, _ snapshot: RecordSnapshot) throws -> [RowNumber] { [] }

  /// Fetches. Should that fail, the rows stay as they are, and `failure` says why.
  func load(in context: ModelContext, _ snapshot: RecordSnapshot) {
    activity.refetches += 1
    do {
      try context.graph.reporting {
        let scopeRows = try scope.map { try $0.rows(in: context, snapshot) } ?? []
        let found = try fetch(where: scope?.condition(leadingTo: scopeRows) ?? .always, in: context, snapshot)
        if filter == nil || scopeRows != self.scopeRows {
          let inScope = scope?.condition(ofChangedRowsLeadingTo: scopeRows) ?? .always
          filter = try RecordFilter(.both(inScope, condition), of: interest.entity, in: context.core.store.catalog)
        }
        self.scopeRows = scopeRows
        rowVersions.replace(rowNumbers, by: found, version: version + 1)
        rowNumbers = found
        isRowSetCurrent = false
      }
      failure = nil
    } catch {
      failure = error
    }
  }

  func fail(_ error: any Error) {
    failure = error
  }

  // MARK: A round

  /// Begins a round, if it has not begun.
  /// - Returns: Whether it had not.
  func begin(round: Int) -> Bool {
    if self.round == round { return false }
    self.round = round
    verdict = .none
    activity.checks += 1
    return true
  }

  func demand(_ verdict: Verdict) {
    self.verdict = max(self.verdict, verdict)
  }

  /// Ends a round that has changed the value.
  func finishRound() {
    version += 1
    rowVersions.finish(version)
    if verdict == .refresh { activity.refreshes += 1 }
  }

  func announce() {
    onChange()
    ticks.tick()
  }

  // MARK: What has changed

  /// A row is new.
  func noteInserted(_ row: RowNumber, _ record: RecordView, in snapshot: RecordSnapshot) {
    // One that it has already was there when it last fetched.
    if verdict == .refetch || holds(row) { return }
    noteArrival(row, record, in: snapshot)
  }

  /// A row is gone.
  func noteDeleted(_ row: RowNumber) {
    // One in front of the first may have been counted.
    if window.offset > 0 || holds(row) { demand(.refetch) }
  }

  /// A row that was there before has changed, or something has that it leads to: what may decide whether the row is the query's, or
  /// where it comes, or neither.
  func noteChanged(
    _ row: RowNumber, _ record: RecordView?, decidesMembership isMember: Bool, decidesOrder isOrder: Bool,
    in snapshot: RecordSnapshot
  ) {
    if holds(row) {
      rowVersions.note(row)
      demand(.refresh)
      if isOrder || isMember && !(isExact && matches(row, record, in: snapshot)) { demand(.refetch) }
    } else if isMember || isOrder, verdict < .refetch {
      if window.offset > 0 { return demand(.refetch) }
      if let record { noteArrival(row, record, in: snapshot) }
    }
  }

  /// Every row may have changed.
  func noteEverything() {
    rowVersions.note(rowNumbers)
    demand(.refetch)
  }

  func holds(_ row: RowNumber) -> Bool {
    if rowNumbers.count <= 8 { return rowNumbers.contains(row) }
    if !isRowSetCurrent {
      rowSet = Set(rowNumbers)
      isRowSetCurrent = true
    }
    return rowSet.contains(row)
  }

  private func noteArrival(_ row: RowNumber, _ record: RecordView, in snapshot: RecordSnapshot) {
    if matches(row, record, in: snapshot), !isBehind(row, record, in: snapshot) { demand(.refetch) }
  }

  /// Whether the row is the query's, or may be. What cannot be told is found out by fetching.
  private func matches(_ row: RowNumber, _ record: RecordView?, in snapshot: RecordSnapshot) -> Bool {
    guard let filter, let record else { return true }
    return (try? filter.matches(row, record, in: snapshot)) ?? true
  }

  /// Whether the row comes behind the last one of as many as are wanted.
  ///
  /// Where the last one is now is where it was: a change of that would be known, because the row is the query's.
  private func isBehind(_ row: RowNumber, _ record: RecordView, in snapshot: RecordSnapshot) -> Bool {
    guard let limit = window.limit, let places = window.places, rowNumbers.count >= limit else { return false }
    guard let last = rowNumbers.last else { return true }
    guard let end = try? places.place(of: last, in: snapshot),
      let place = try? places.place(of: row, record, in: snapshot)
    else { return false }
    return end.lexicographicallyPrecedes(place)
  }

  // MARK: Values

  /// The versions of the rows; from the first call on they are kept.
  func versionsOfRows() -> [RowNumber: Int] {
    rowVersions.start()
    return rowVersions.versions
  }
}

extension ObjectGraph {
  /// Runs a closure that reads objects, and throws why one of them could not be read. What was to be thrown before stays so.
  fileprivate func reporting(_ body: () throws -> Void) throws {
    let earlier = failure
    forgetFailure()
    defer { failure = earlier }
    try body()
    try throwFailure()
  }
}
