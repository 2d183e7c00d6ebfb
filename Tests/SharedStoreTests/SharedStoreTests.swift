import Foundation
import SwiftSync
import Sync
import TestSupport
import Testing

@Model
private final class Author {
  @Attribute(.unique) var id: Int
  var name: String?
  var rating: Double?
  var born: Date?
  @Relationship(deleteRule: .cascade) var books: [Book]

  init(id: Int, name: String? = nil) {
    self.id = id
    self.name = name
    books = []
  }
}

@Model
private final class Book {
  @Attribute(.unique) var id: Int
  var title: String?
  var pages: Int16?
  @Relationship(inverse: \Author.books) var author: Author?

  init(id: Int, title: String? = nil) {
    self.id = id
    self.title = title
  }
}

@Suite("A store of one module opens with the other, if the classes and the model say the same")
struct SharedStoreTests {
  private func model() throws -> ManagedObjectModel {
    try ManagedObjectModel {
      EntityDescription("Author") {
        AttributeDescription("id", .integer64, isOptional: false)
        AttributeDescription("name", .string)
        AttributeDescription("rating", .double)
        AttributeDescription("born", .date)
        RelationshipDescription.toMany("books", "Book", inverse: "author", deleteRule: .cascade)
      }
      EntityDescription("Book") {
        AttributeDescription("id", .integer64, isOptional: false)
        AttributeDescription("title", .string)
        AttributeDescription("pages", .integer16)
        RelationshipDescription.toOne("author", "Author", inverse: "books")
      }
    }
  }

  private func withStack(at url: URL, _ body: (ManagedObjectContext) throws -> Void) throws {
    let stack = DataStack(model: try model(), storeURL: url)
    defer { stack.close() }
    try body(stack.newBackgroundContext())
  }

  private func withContainer(at url: URL, _ body: (ModelContext) throws -> Void) throws {
    let container = try ModelContainer(for: Author.self, Book.self, configurations: ModelConfiguration(url: url))
    defer { container.close() }
    try body(ModelContext(container))
  }

  /// What a store has, as one module reads it.
  private struct Content: Equatable {
    var authors: [String] = []
    var books: [String] = []
  }

  private func content(_ context: ManagedObjectContext) throws -> Content {
    var content = Content()
    for author in try context.fetch(FetchRequest(entityName: "Author", sortDescriptors: [ObjectSort("id")])) {
      let books = try author.objects("books").map { try $0.value("id", as: Int.self) ?? 0 }.sorted()
      content.authors.append("\(author["id"] ?? "-") \(author["name"] ?? "-") \(author["born"] ?? "-") \(books)")
    }
    for book in try context.fetch(FetchRequest(entityName: "Book", sortDescriptors: [ObjectSort("id")])) {
      let author: Int? = try book.object("author")?.value("id")
      content.books.append("\(book["id"] ?? "-") \(book["title"] ?? "-") \(book["pages"] ?? "-") \(author ?? 0)")
    }
    return content
  }

  private func content(_ context: ModelContext) throws -> Content {
    var content = Content()
    for author in try context.fetch(FetchDescriptor<Author>(sortBy: [SortDescriptor(\.id)])) {
      let books = author.books.map(\.id).sorted()
      content.authors.append(
        "\(author.id) \(author.name ?? "-") \(author.born.map { "\($0)" } ?? "-") \(books)")
    }
    for book in try context.fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.id)])) {
      content.books.append(
        "\(book.id) \(book.title ?? "-") \(book.pages.map { "\($0)" } ?? "-") \(book.author?.id ?? 0)")
    }
    return content
  }

  @Test(arguments: [true, false])
  func stores(stackFirst: Bool) throws {
    let folder = try TemporaryFolder()
    let url = URL(fileURLWithPath: folder.path).appendingPathComponent("shared.store")
    var written = Content()
    if stackFirst {
      try withStack(at: url) { context in
        let author = try context.insertObject(inEntityNamed: "Author")
        author["id"] = 1
        author["name"] = "Anna"
        author["born"] = Date(timeIntervalSince1970: 7)
        let book = try context.insertObject(inEntityNamed: "Book")
        book["id"] = 2
        book["pages"] = 300
        book["author"] = author
        try context.save()
        written = try content(context)
      }
    } else {
      try withContainer(at: url) { context in
        let author = Author(id: 1, name: "Anna")
        author.born = Date(timeIntervalSince1970: 7)
        context.insert(author)
        let book = Book(id: 2)
        book.pages = 300
        book.author = author
        try context.save()
        written = try content(context)
      }
    }
    #expect(written.books == ["2 - 300 1"])
    // Each module finds what the other has left, and leaves something of its own.
    for round in 3...5 {
      try withContainer(at: url) { context in
        #expect(try content(context) == written)
        let book = Book(id: round * 10, title: "typed")
        book.author = try context.fetch(FetchDescriptor<Author>()).first
        context.insert(book)
        try context.save()
        written = try content(context)
      }
      try withStack(at: url) { context in
        #expect(try content(context) == written)
        let book = try context.insertObject(inEntityNamed: "Book")
        book["id"] = round * 10 + 1
        let author = try #require(try context.fetch(1, inEntityNamed: "Author"))
        try author.add(book, to: "books")
        try context.save()
        written = try content(context)
      }
    }
    #expect(written.authors.first?.hasSuffix("[2, 30, 31, 40, 41, 50, 51]") == true)
    // The rules are the same, too.
    try withStack(at: url) { context in
      context.delete(try #require(try context.fetch(1, inEntityNamed: "Author")))
      try context.save()
    }
    try withContainer(at: url) { context in try #expect(content(context) == Content()) }
  }
}
