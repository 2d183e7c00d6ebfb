import Glibc
import KeyValueStore

/// The transaction of a migration, lent to a `RecordStore` whose reads and writes then happen inside of it.
///
/// It is used on the thread that runs the migration, and nowhere else: `check()` refuses other threads and a time when the
/// migration is over, before anything of it is touched. That is why it may be passed through code that must be sendable.
final class BoundTransaction: @unchecked Sendable {
  private let thread = pthread_self()
  private var current: WriteTransaction?

  init(_ transaction: WriteTransaction) {
    current = transaction
  }

  /// The transaction, to read from.
  func transaction() throws -> WriteTransaction { try check() }

  /// Runs a closure as a transaction inside of the migration's: when it throws, the migration may go on without it.
  func write<Result>(_ body: (WriteTransaction) throws -> Result) throws -> Result {
    let outer = try check()
    defer { current = outer }
    return try outer.nested { inner in
      current = inner
      return try body(inner)
    }
  }

  /// Ends the loan.
  func end() {
    current = nil
  }

  private func check() throws -> WriteTransaction {
    guard pthread_equal(thread, pthread_self()) != 0, let current else { throw RecordError.migrationOver }
    return current
  }
}
