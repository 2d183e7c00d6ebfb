import SwiftSync
import Testing

/// Elements of a stream of changes, shortened to what tests compare.
enum Collected: Equatable {
  /// A commit with its number in the history, and the rows that it names.
  case commit(Int64?, inserted: Int = 0, updated: [[String]] = [], deleted: Int = 0)
  case resynchronize(ResynchronizationReason, Int64?)

  init(_ element: ChangeStream.Element) {
    switch element {
    case .committed(let changes):
      let rows = changes.rows
      self = .commit(
        changes.token?.number, inserted: rows.reduce(0) { $0 + $1.inserted.count },
        updated: rows.flatMap { $0.updated.map(\.propertyNames) }, deleted: rows.reduce(0) { $0 + $1.deleted.count })
    case .resynchronize(let reason, let token):
      self = .resynchronize(reason, token?.number)
    }
  }
}

extension DefaultHistoryToken {
  /// Its place in the history, from 1.
  var number: Int64? { tokenValue?.values.first }
}

extension ChangeStream.Iterator {
  /// The next elements, shortened.
  mutating func next(_ count: Int) async throws -> [Collected] {
    var result: [Collected] = []
    while result.count < count, let element = try await next() { result.append(Collected(element)) }
    return result
  }

  /// The numbers of commits up to one in the history.
  mutating func numbers(upTo last: Int64) async throws -> [Int64] {
    var result: [Int64] = []
    while result.last != last, let element = try await next() {
      guard case .committed(let changes) = element else {
        Issue.record("\(element) after \(result.count) commits")
        return result
      }
      result.append(try #require(changes.token?.number))
    }
    return result
  }
}

extension ModelContainer {
  /// Saves so many times, in a context of its own; each save makes a row.
  func commit(_ count: Int, author: String? = nil) throws {
    let context = ModelContext(self)
    context.author = author
    for _ in 0..<count {
      context.insert(Folder(name: "f"))
      try context.save()
    }
  }
}
