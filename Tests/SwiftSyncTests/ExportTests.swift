import Foundation
import SwiftSync
import Testing

@Syncable @Model final class Sample {
  @PrimaryKey(remote: "sample_key") var key: String
  var projectID: Int
  @RemoteKey("state.id") var state: Weekday
  @RemoteKey("state.label") var label: String?
  var at: Date
  var token: UUID
  var blob: Data
  var price: Decimal
  var tags: [String]
  @NotExport var secret: String
  var friend: Sample?

  init(key: String) {
    self.key = key
    projectID = 3
    state = .tuesday
    at = Date(timeIntervalSince1970: 1_700_000_000)
    token = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    blob = Data([1, 2, 3])
    price = 12.5
    tags = ["x"]
    secret = "hidden"
  }
}

@Suite("11: Export: objects as the backend would send them")
struct ExportTests {
  private func export(_ sample: Sample, _ style: KeyStyle = .snakeCase, _ formatter: DateFormatter? = nil) throws
    -> [String: Any]
  {
    let container = try SyncContainer(
      for: Sample.self, keyStyle: style, dateFormatter: formatter,
      configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    return container.export(sample)
  }

  private func json(_ object: [String: Any]) throws -> String {
    let data = try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
    return String(decoding: data, as: UTF8.self)
  }

  @Test("11.1, 11.2, 11.3 Keys, dotted keys, values of every kind, nil as null, and what is not exported")
  func keysAndValues() throws {
    #expect(
      try json(export(Sample(key: "k"))) == """
        {"at":"2023-11-14T22:13:20.000Z","blob":"AQID","friend":null,"price":12.5,"project_id":3,"sample_key":"k",\
        "state":{"id":2,"label":null},"tags":["x"],"token":"01020304-0506-0708-090A-0B0C0D0E0F10"}
        """)
  }

  @Test("B-25 Camel case writes the acronym as the import reads it")
  func camelCase() throws {
    let object = try export(Sample(key: "k"), .camelCase)
    #expect(object["projectId"] as? Int == 3 && object["projectID"] == nil)
  }

  @Test("6.5 A formatter of one's own replaces the default")
  func formatter() throws {
    let formatter = DateFormatter()
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "yyyy/MM/dd"
    #expect(try export(Sample(key: "k"), .snakeCase, formatter)["at"] as? String == "2023/11/14")
  }

  @Test("11.4, 11.5 Relationships are whole objects; one that is reached again is empty, and may be a sibling twice")
  func cycles() throws {
    let a = Sample(key: "a")
    let b = Sample(key: "b")
    a.friend = b
    b.friend = a
    let object = try export(a)
    let friend = try #require(object["friend"] as? [String: Any])
    #expect(friend["sample_key"] as? String == "b")
    #expect((friend["friend"] as? [String: Any])?.isEmpty == true)

    let person = Person(id: "u", name: "U")
    let ticket = Ticket(id: 1, title: "t", assignee: person)
    ticket.reviewer = person
    let container = try SyncContainer(for: Ticket.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let exported = container.export(ticket)
    #expect((exported["assignee"] as? [String: Any])?["name"] as? String == "U")
    #expect((exported["reviewer"] as? [String: Any])?["name"] as? String == "U")
  }

  @Test("An export can be synced back and changes nothing")
  func roundTrip() async throws {
    let container = try SyncContainer(for: Sample.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container.modelContainer)
    context.insert(Sample(key: "a"))
    try context.save()
    let object = container.export(try #require(try context.fetch(FetchDescriptor<Sample>()).first))
    let report = try await container.sync(payload: [object], as: Sample.self)
    #expect(report.changedNothing && report.replacedValues.isEmpty)
  }

  @Test("An object that contains itself can be synced back: the empty object says nothing")
  func roundTripOfACycle() async throws {
    let container = try SyncContainer(for: Book.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container.modelContainer)
    let author = Author(id: 1, name: "Ada")
    author.books = [1, 2].map { Book(id: $0, title: "b\($0)", publishedAt: Date(timeIntervalSince1970: 0)) }
    context.insert(author)
    try context.save()
    let report = try await container.sync(item: container.export(author.books[0]), as: Book.self)
    #expect(report.changedNothing)
    let again = try await container.sync(item: container.export(author), as: Author.self)
    #expect(again.changedNothing)
  }

  @Test("A chain that is longer than a payload may be nested ends in an empty object")
  func depth() throws {
    let nodes = (0..<5000).map { Node(id: $0) }
    for (node, next) in zip(nodes, nodes.dropFirst()) { node.next = next }
    let container = SyncContainer(
      try ModelContainer(for: Node.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    var object = container.export(nodes[0])
    var depth = 0
    while let next = object["next"] as? [String: Any], !next.isEmpty {
      object = next
      depth += 1
    }
    #expect((200...512).contains(depth))
  }

  @Test("What JSON has no number for is null, so that an export is always JSON")
  func nonFiniteNumbers() throws {
    let ticket = Ticket(id: 1, title: "t")
    ticket.estimate = .nan
    let container = try SyncContainer(for: Ticket.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    #expect(container.export(ticket)["estimate"] is NSNull)
  }
}
