import Records
import TestSupport
import Testing

@testable import SwiftSync

@Suite("Random edits of a graph: what objects show is what a save stores")
struct RandomGraphTests {
  @Test(
    "Objects, a plain model and what another context reads agree at every step",
    arguments: 1...6 as ClosedRange<UInt64>)
  func objectsShowWhatIsStored(seed: UInt64) throws {
    var walk = try RandomWalk(seed: seed)
    for step in 0..<400 {
      try walk.step()
      try #require(walk.complaints().isEmpty, "seed \(seed), step \(step): \(walk.complaints())\n\(walk.story)")
    }
  }
}

/// Edits of one graph by two contexts in turn, done to objects and to the plain model alike.
private struct RandomWalk {
  private var generator: SplitMix64
  private let container: ModelContainer
  private let contexts: [ModelContext]
  /// Every object that each context has ever shown, kept, so that what is refreshed in place is looked at too.
  private var objects: [[Int: Vertex]] = [[:], [:]]
  private var editing = 0
  private var stored = PlainGraph()
  private var graph = PlainGraph()
  private var nextVertex = 1
  private var justSaved = false
  /// What was done since the last save.
  private(set) var story: [String] = []

  init(seed: UInt64) throws {
    generator = SplitMix64(seed: seed)
    container = try ModelContainer(
      for: Vertex.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    contexts = [ModelContext(container), ModelContext(container)]
  }

  private var context: ModelContext { contexts[editing] }

  mutating func step() throws {
    if justSaved { story = [] }
    justSaved = false
    let present = graph.present
    switch generator.below(100) {
    case 0..<15 where present.count < 10: insert()
    case 0..<22: delete()
    case 22..<26: restore()
    case 26..<30: try rollBack()
    case 30..<40: try save()
    case 40..<46: setLabel()
    default: relate()
    }
  }

  private mutating func insert() {
    let vertex = nextVertex
    nextVertex += 1
    let label = generator.below(100)
    let parent = generator.chance(30) ? generator.pick(graph.present) : nil
    let liked = generator.chance(30) ? generator.pick(graph.present) : nil
    story.append("insert \(vertex), parent \(parent ?? 0), likes \(liked ?? 0)")
    let object = Vertex(
      id: vertex, label: label, parent: parent.flatMap { objects[editing][$0] },
      likes: liked.flatMap { objects[editing][$0] }.map { [$0] } ?? [])
    objects[editing][vertex] = object
    context.insert(object)
    graph.insert(vertex, label: label)
    if let parent { graph.relate(vertex, .parent, .left, to: [parent]) }
    if let liked { graph.relate(vertex, .likes, .left, to: [liked]) }
  }

  private mutating func delete() {
    guard let vertex = generator.pick(graph.present), let object = objects[editing][vertex] else { return }
    story.append("delete \(vertex)")
    context.delete(object)
    graph.delete(vertex)
  }

  private mutating func restore() {
    guard let vertex = generator.pick(graph.deleted.sorted()), let object = objects[editing][vertex] else { return }
    story.append("restore \(vertex)")
    context.insert(object)
    graph.restore(vertex)
  }

  private mutating func setLabel() {
    guard let vertex = generator.pick(graph.present) else { return }
    let label = generator.below(100)
    objects[editing][vertex]?.label = label
    graph.labels[vertex] = label
  }

  private mutating func relate() {
    let present = graph.present
    let relation = PlainGraph.Relation.allCases[generator.below(PlainGraph.Relation.allCases.count)]
    let end: PlainGraph.End = relation.isDeclared(.right) && generator.chance(50) ? .right : .left
    guard let vertex = generator.pick(present), let object = objects[editing][vertex] else { return }
    let count = generator.below(relation.isToMany(end) ? 4 : 2)
    let others = Array(Set((0..<count).compactMap { _ in generator.pick(present) }))
    story.append("\(vertex) \(relation) \(end) \(others)")
    object.relate(relation, end, to: others.compactMap { objects[editing][$0] })
    graph.relate(vertex, relation, end, to: others)
  }

  private mutating func rollBack() throws {
    story.append("roll back")
    context.rollback()
    graph = stored
  }

  private mutating func save() throws {
    story.append("save")
    try context.save()
    graph.save()
    stored = graph
    justSaved = true
    // The other context sees the save when it fetches. Either may go on.
    let other = 1 - editing
    for vertex in try contexts[other].fetch(FetchDescriptor<Vertex>()) { objects[other][vertex.id] = vertex }
    if generator.chance(50) { editing = other }
  }

  /// What does not agree.
  func complaints() -> [String] {
    var complaints: [String] = []
    do {
      complaints += differences(of: try context.fetch(FetchDescriptor<Vertex>()), in: "the editing context")
      complaints += differences(of: graph.present.compactMap { objects[editing][$0] }, in: "the kept objects")
      if justSaved {
        for (place, reader) in [("another context", contexts[1 - editing]), ("a new context", ModelContext(container))]
        {
          complaints += differences(of: try reader.fetch(FetchDescriptor<Vertex>()), in: place)
        }
        complaints += try container.core.store.read { try $0.checkInvariants().map(\.description) }
      }
    } catch {
      complaints.append("\(error)")
    }
    return complaints
  }

  private func differences(of vertices: [Vertex], in place: String) -> [String] {
    var complaints: [String] = []
    if vertices.map(\.id).sorted() != graph.present {
      complaints.append("\(place) has \(vertices.map(\.id).sorted()), expected \(graph.present)")
    }
    for vertex in vertices {
      if vertex.label != graph.labels[vertex.id] { complaints.append("\(place): \(vertex.id).label") }
      for relation in PlainGraph.Relation.allCases {
        for end in [PlainGraph.End.left, .right] where relation.isDeclared(end) {
          let found = vertex.related(relation, end).map(\.id).sorted()
          let expected = graph.related(vertex.id, relation, end)
          if found != expected {
            complaints.append("\(place): \(vertex.id) \(relation) \(end) is \(found), expected \(expected)")
          }
        }
      }
    }
    return complaints
  }
}
