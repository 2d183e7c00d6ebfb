import Foundation
import SwiftSync

// Code whose only job is to compile without a warning: every form of relationship and attribute.

// MARK: Relationships

/// Two relationships to one class, each with its own inverse.
@Syncable @Model final class Ticket {
  var id: Int
  var assignee: Agent?
  var reviewer: Agent?

  init(id: Int, assignee: Agent? = nil, reviewer: Agent? = nil) {
    self.id = id
    self.assignee = assignee
    self.reviewer = reviewer
  }
}

@Syncable @Model final class Agent {
  var id: Int
  @Relationship(inverse: \Ticket.assignee) var assignedTickets: [Ticket]
  @NotExport @RemoteKey("reviews") @Relationship(inverse: \Ticket.reviewer) var reviewTickets: [Ticket]

  init(id: Int) {
    reviewTickets = []
    assignedTickets = []
    self.id = id
  }
}

/// Many to many, with the inverse named on one side.
@Syncable @Model final class Article {
  var id: Int
  @Relationship(inverse: \Topic.articles) var topics: [Topic] = []
  init(id: Int) { self.id = id }
}

@Syncable @Model final class Topic {
  var id: Int
  var articles: [Article] = []
  init(id: Int) { self.id = id }
}

/// A class that points at itself in every way, and relationships that are declared optional or never nil.
@Model final class Node {
  var parent: Node?
  @Relationship(deleteRule: .cascade, inverse: \Node.parent) var children: [Node]
  var next: Node!
  var related: [Node]?
  @Relationship(deleteRule: .noAction) var friends: [Node]
  @Relationship(deleteRule: .deny, originalName: "owner", hashModifier: "2") var keeper: Optional<Node>

  init() {
    children = []
    friends = []
    keeper = nil
  }
}

/// Arrays are edited where they lie, also through generic code and by functions that throw.
func editLists(of node: Node, of specimen: Specimen) throws {
  func edit<List: RangeReplaceableCollection & MutableCollection>(_ list: inout List) throws { list.removeFirst() }
  try edit(&node.children)
  node.children.append(node)
  node.children[0].friends.removeLast()
  node.related?.append(node)
  node.related = nil
  specimen.words.append("")
  specimen.words[0] += "a"
  specimen.numbers?[0] += 1
  specimen.levels[0] = .high
  specimen.route[0].latitude += 1
}

@Model final class Leaf {
  var node: Node
  init(node: Node) { self.node = node }
}

// MARK: Attributes

enum Level: Int, Codable { case low, high }

enum Shape: Codable, Hashable {
  case point
  case circle(radius: Double)
}

struct Place: Codable, Hashable {
  var latitude = 0.0
  var longitude = 0.0
}

typealias Amount = Decimal

@Syncable @Model final class Specimen {
  #Unique<Specimen>([\.id], [\.text, \.day])

  @PrimaryKey(remote: "uuid") var id: UUID
  var text: String
  var optionalText: String?
  var spelledOut: Optional<String>
  var unwrapped: String!
  var flag: Bool
  var number: Int
  var int8: Int8
  var int16: Int16
  var int32: Int32
  var int64: Int64
  var word: UInt
  var uint8: UInt8
  var uint16: UInt16
  var uint32: UInt32
  var uint64: UInt64?
  var double: Double
  var float: Float
  var amount: Amount
  var day: Date
  var link: URL?
  @Attribute(.externalStorage) var bytes: Data
  var words: [String]
  var numbers: [Int]?
  var level: Level
  var optionalLevel: Level?
  var levels: [Level]
  var shape: Shape
  var optionalShape: Shape?
  var place: Place
  var route: [Place]
  var labels: Set<String>
  var counts: [String: Int]
  @Attribute(originalName: "nick", hashModifier: "2") var nickname: String
  var `default`: Bool

  init(id: UUID, text: String) {
    self.id = id
    self.text = text
    spelledOut = nil
    flag = false
    number = 0
    int8 = 0
    int16 = 0
    int32 = 0
    int64 = 0
    word = 0
    uint8 = 0
    uint16 = 0
    uint32 = 0
    double = 0
    float = 0
    amount = 0
    day = Date(timeIntervalSince1970: 0)
    bytes = Data()
    words = []
    numbers = nil
    level = .low
    levels = []
    shape = .point
    place = Place()
    route = []
    labels = []
    counts = [:]
    nickname = ""
    self.default = true
  }
}

/// Initial values, with and without the type written down, and what is left out of the store.
@Syncable @Model final class Defaults {
  @Attribute(.unique) var id = UUID()
  var count = 0
  var name: String = "new"
  var level = Level.low
  var parts: [Leaf] = []
  var createdAt = Date()
  let schemaVersion = 1
  @Transient var isSelected = false
  @Transient var cache: [String: Any] = [:]
  @Transient lazy var shout = name.uppercased()
  @Transient weak var owner: Defaults?
  @Transient var observed = 0 {
    didSet { count += 1 }
  }
  var title: String { name.capitalized }
  var both: (String, Int) {
    get { (name, count) }
    set { (name, count) = newValue }
  }
  static let limit = 10
  nonisolated(unsafe) static var shared: Defaults?

  init() {}
}
