// The code of the README's tour, word for word. `ReadmeTests` compares them, so the tour keeps compiling.

import Foundation
import SwiftSync

@Syncable @Model final class Author {
  @Attribute(.unique) var id: Int
  var name: String
  var books: [Book]

  init(id: Int, name: String) {
    self.id = id
    self.name = name
    self.books = []
  }
}

@Syncable @Model final class Book {
  @Attribute(.unique) var id: Int
  var title: String
  @RemoteKey("meta.pages") var pages: Int?
  var publishedAt: Date
  var author: Author?

  init(id: Int, title: String, publishedAt: Date) {
    self.id = id
    self.title = title
    self.publishedAt = publishedAt
  }
}

func syncBooks(into container: SyncContainer) async throws -> SyncReport {
  try await container.sync(payload: [["id": 1, "name": "Ada"]], as: Author.self)
  try await container.sync(
    payload: [
      ["id": 1, "title": "Notes", "published_at": "1843-08-01", "author_id": 1, "meta": ["pages": 66]],
      ["id": 2, "title": "Letters", "published_at": "1844-01-01", "author_id": 1],
    ], as: Book.self)
  return try await container.sync(
    payload: [["id": 1, "title": "Notes on the Engine", "author_id": 1]], as: Book.self)
}

@MainActor func renameLongBooks(in container: SyncContainer) throws -> [[String: Any]] {
  let context = container.mainContext
  let long = FetchDescriptor<Book>(
    predicate: #Predicate { ($0.pages ?? 0) > 50 },
    sortBy: [SortDescriptor(\.publishedAt, order: .reverse)])
  let books = try context.fetch(long)
  for book in books { book.title += " (long)" }
  try context.save()
  return books.map { container.export($0) }
}

func openContainer(at folder: URL?) throws -> SyncContainer {
  let configuration = folder.map { ModelConfiguration(url: $0) } ?? ModelConfiguration(isStoredInMemoryOnly: true)
  return try SyncContainer(for: Book.self, configurations: configuration)
}
