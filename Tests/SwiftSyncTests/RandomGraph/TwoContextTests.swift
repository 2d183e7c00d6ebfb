import Records
import TestSupport
import Testing

@testable import SwiftSync

@Suite("Random edits by two contexts at once: what they save is what a plain model says")
struct TwoContextTests {
  @Test("Store, plain model and what both contexts show agree", arguments: 1...5 as ClosedRange<UInt64>)
  func contextsMeet(seed: UInt64) throws {
    var walk = try ConcurrentWalk(seed: seed)
    for step in 0..<1_000 {
      let complaints = try walk.step()
      try #require(complaints.isEmpty, "seed \(seed), step \(step): \(complaints)\n\(walk.story.suffix(30))")
    }
  }
}

/// Two contexts that both have unsaved edits most of the time.
private struct ConcurrentWalk {
  private var generator: SplitMix64
  private let container: ModelContainer
  private let contexts: [ModelContext]
  /// Every object that each context has shown and that has not gone, kept.
  private var objects: [[Int: Vertex]] = [[:], [:]]
  private var edits = [PlainStore.Edits(), PlainStore.Edits()]
  private var stored = PlainStore()
  private var nextVertex = 1
  private(set) var story: [String] = []

  init(seed: UInt64) throws {
    generator = SplitMix64(seed: seed)
    container = try ModelContainer(
      for: Vertex.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    contexts = [ModelContext(container), ModelContext(container)]
  }

  /// - Returns: What does not agree.
  mutating func step() throws -> [String] {
    let side = generator.below(2)
    switch generator.below(100) {
    case 0..<14 where present(side).count < 9: insert(side)
    case 0..<20: delete(side)
    case 20..<23: try rollBack(side)
    case 23..<33: return try save(side)
    case 33..<36: try catchUp(side)
    case 36..<46: setLabel(side)
    default: relate(side)
    }
    return assertions(side)
  }

  private func present(_ side: Int) -> [Int] {
    objects[side].filter { !$0.value.isDeleted }.keys.sorted()
  }

  private mutating func insert(_ side: Int) {
    let vertex = nextVertex
    nextVertex += 1
    let label = generator.below(100)
    let parent = generator.chance(30) ? generator.pick(present(side)) : nil
    let liked = generator.chance(30) ? generator.pick(present(side)) : nil
    story.append("\(side): insert \(vertex), parent \(parent ?? 0), likes \(liked ?? 0)")
    let object = Vertex(
      id: vertex, label: label, parent: parent.flatMap { objects[side][$0] },
      likes: liked.flatMap { objects[side][$0] }.map { [$0] } ?? [])
    objects[side][vertex] = object
    contexts[side].insert(object)
    edits[side].inserted.insert(vertex)
    edits[side].labels[vertex] = label
    if let parent { edits[side].assign(.parent, vertex, parent) }
    if let liked { edits[side].pairs[.likes, default: [:]][.init(left: vertex, right: liked)] = true }
  }

  private mutating func delete(_ side: Int) {
    guard let vertex = generator.pick(present(side)), let object = objects[side][vertex] else { return }
    story.append("\(side): delete \(vertex)")
    contexts[side].delete(object)
    if edits[side].inserted.contains(vertex) {
      edits[side].forget(vertex)
      objects[side][vertex] = nil
    } else {
      edits[side].deleted.insert(vertex)
    }
  }

  private mutating func setLabel(_ side: Int) {
    guard let vertex = generator.pick(present(side)) else { return }
    let label = generator.below(100)
    story.append("\(side): label \(vertex) \(label)")
    objects[side][vertex]?.label = label
    edits[side].labels[vertex] = label
  }

  private mutating func relate(_ side: Int) {
    let relation = PlainGraph.Relation.allCases[generator.below(PlainGraph.Relation.allCases.count)]
    let end: PlainGraph.End = relation.isDeclared(.right) && generator.chance(50) ? .right : .left
    let present = present(side)
    guard let vertex = generator.pick(present), let object = objects[side][vertex] else { return }
    let shown = Set(object.related(relation, end).map(\.id))
    let count = generator.below(relation.isToMany(end) ? 4 : 2)
    var others = Set((0..<count).compactMap { _ in generator.pick(present) })
    // Half of the assignments append to what is there.
    if relation.isToMany(end), generator.chance(50) { others.formUnion(shown) }
    story.append("\(side): \(vertex) \(relation) \(end) \(others.sorted()), was \(shown.sorted())")
    note(relation, end, vertex, from: shown, to: others, side)
    object.relate(relation, end, to: others.sorted().compactMap { objects[side][$0] })
  }

  /// Does the same in the plain model.
  private mutating func note(
    _ relation: PlainGraph.Relation, _ end: PlainGraph.End, _ vertex: Int, from shown: Set<Int>, to others: Set<Int>,
    _ side: Int
  ) {
    if PlainStore.toMany.contains(relation) {
      for other in shown.symmetricDifference(others) {
        let pair = end == .left ? PlainStore.Pair(left: vertex, right: other) : .init(left: other, right: vertex)
        edits[side].pairs[relation, default: [:]][pair] = others.contains(other)
      }
    } else if PlainStore.toOne.contains(relation) {
      if end == .left { return edits[side].assign(relation, vertex, others.first) }
      for other in others.subtracting(shown) { edits[side].assign(relation, other, vertex) }
      for other in shown.subtracting(others) {
        if objects[side][other]?.related(relation, .left).first === objects[side][vertex] {
          edits[side].assign(relation, other, nil)
        } else {
          edits[side].unlinked[relation, default: []].insert(.init(left: other, right: vertex))
        }
      }
    }
  }

  private mutating func rollBack(_ side: Int) throws {
    story.append("\(side): roll back")
    contexts[side].rollback()
    edits[side] = PlainStore.Edits()
    try lookAround(side)
  }

  private mutating func catchUp(_ side: Int) throws {
    story.append("\(side): catch up")
    try lookAround(side)
  }

  private mutating func save(_ side: Int) throws -> [String] {
    story.append("\(side): save")
    try contexts[side].save()
    stored.save(edits[side])
    edits[side] = PlainStore.Edits()
    try lookAround(side)
    if generator.chance(50) { try lookAround(1 - side) }
    var complaints = try container.core.store.read { try $0.checkInvariants().map(\.description) }
    complaints += differences(of: try ModelContext(container).fetch(FetchDescriptor<Vertex>()), "a new context")
    complaints += differences(of: Array(objects[side].values), "the context that saved")
    return complaints
  }

  /// Keeps what the context shows, and lets go of what is deleted or was never saved.
  private mutating func lookAround(_ side: Int) throws {
    for object in try contexts[side].fetch(FetchDescriptor<Vertex>()) { objects[side][object.id] = object }
    for (vertex, object) in objects[side] {
      if object.isDeleted, !edits[side].deleted.contains(vertex) {
        edits[side].forget(vertex)
      } else if object.modelContext != nil {
        continue
      }
      objects[side][vertex] = nil
    }
  }

  /// What an edited object of a context must show.
  private func assertions(_ side: Int) -> [String] {
    var complaints: [String] = []
    let objects = objects[side].filter { !$0.value.isDeleted }
    for (vertex, label) in edits[side].labels where objects[vertex].map({ $0.label != label }) ?? false {
      complaints.append("\(side): label of \(vertex)")
    }
    for relation in PlainStore.toOne {
      for (vertex, destination) in edits[side].destinations[relation] ?? [:] {
        guard let object = objects[vertex] else { continue }
        let expected = destination.flatMap { objects[$0] }
        if object.related(relation, .left).first !== expected {
          complaints.append("\(side): \(vertex) \(relation) is not \(destination ?? 0)")
        }
      }
    }
    for relation in PlainStore.toMany {
      for (pair, isLinked) in edits[side].pairs[relation] ?? [:] {
        guard let left = objects[pair.left], let right = objects[pair.right] else { continue }
        let shows =
          [left.related(relation, .left).contains { $0 === right }]
          + (relation.isDeclared(.right) ? [right.related(relation, .right).contains { $0 === left }] : [])
        if shows.contains(!isLinked) { complaints.append("\(side): \(pair) \(relation) is not \(isLinked)") }
      }
    }
    return complaints
  }

  private func differences(of vertices: [Vertex], _ place: String) -> [String] {
    var complaints: [String] = []
    if Set(vertices.map(\.id)) != Set(stored.labels.keys) || vertices.count != stored.labels.count {
      complaints.append("\(place) has \(vertices.map(\.id).sorted()), expected \(stored.labels.keys.sorted())")
    }
    for vertex in vertices {
      if vertex.label != stored.labels[vertex.id] { complaints.append("\(place): \(vertex.id).label") }
      for relation in PlainStore.toOne + PlainStore.toMany {
        for end in [PlainGraph.End.left, .right] where relation.isDeclared(end) {
          let found = vertex.related(relation, end).map(\.id)
          let expected = stored.related(vertex.id, relation, end)
          if Set(found) != expected || found.count != expected.count {
            complaints.append("\(place): \(vertex.id) \(relation) \(end) is \(found), expected \(expected.sorted())")
          }
        }
      }
      for follower in [vertex.leader?.follower, vertex.follower?.leader] where follower != nil && follower !== vertex {
        complaints.append("\(place): \(vertex.id) is not its partner's partner")
      }
    }
    return complaints
  }
}
