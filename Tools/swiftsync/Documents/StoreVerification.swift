import KeyValueStore
import Records

/// What a check of a whole store has found: of its pages and its log, and if these are sound, of its records.
struct StoreVerification {
  /// More are not looked for.
  static let violationsMax = 1000

  let path: String
  private(set) var pages: VerificationReport
  private(set) var violations: [InvariantViolation] = []
  /// How many rows were checked; nil when they were not.
  private(set) var rowCount: Int?
  private(set) var notes: [String]
  private(set) var problems: [String]

  /// - Throws: What says that there is no store or that its files can't be read, and `Interrupted`.
  init(of path: String) throws {
    self.path = path
    Supervisor.noteActivity("checking the pages")
    pages = try PageCheck.report(on: path)
    notes = pages.notes.map(\.description)
    problems = pages.problems.map(\.description)
    guard pages.isSound else {
      notes.append("The records were not checked, because what they are kept in is damaged.")
      return
    }
    if pages.notes.contains(where: { if case .needsRecovery = $0 { true } else { false } }) {
      notes.append("The records were not checked, because to open the store would be to recover it.")
      return
    }
    Supervisor.noteActivity("checking the records")
    try checkRecords()
  }

  /// With those that were only counted.
  var problemCount: Int { problems.count + pages.problemsBeyond }

  private mutating func checkRecords() throws {
    do {
      let store = try RecordStore(readingAt: path)
      defer { store.close() }
      (violations, rowCount) = try store.read { snapshot in
        let rowCount = try snapshot.catalog.entities.map { try snapshot.count(of: $0) }.reduce(0, +)
        let found = try snapshot.checkInvariants(limit: Self.violationsMax) { try Interruption.check() }
        return (found, rowCount)
      }
      problems += violations.map(\.description)
    } catch let error as RecordError where error.saysThatThereIsNothing {
      notes.append("\(error)")
    } catch let error as StoreError where error.isRefusal {
      throw error
    } catch let error as Interrupted {
      throw error
    } catch {
      problems.append("\(error)")
    }
  }
}

extension RecordError {
  /// Whether there are no records that could be checked.
  fileprivate var saysThatThereIsNothing: Bool {
    switch self {
    case .notARecordStore, .unfinishedStore, .newerFormat: true
    default: false
    }
  }
}

extension StoreError {
  /// Whether it says nothing about the store's content.
  fileprivate var isRefusal: Bool {
    switch self {
    case .tooManyReaders, .notWritable, .diskFull, .system: true
    default: false
    }
  }
}
