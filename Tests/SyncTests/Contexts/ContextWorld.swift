import TestSupport
import Testing

@testable import Sync

/// Notes, tags and people in two contexts, and beside them what they ought to be: plain values.
///
/// One context at a time has edits, so that the plain model need not know how edits are merged.
struct ContextWorld {
  /// A note as it should be.
  private struct Note: Equatable {
    var text: String?
    var author: Int?
    var tags: Set<Int> = []
  }

  /// All notes by their ids.
  private typealias State = [Int: Note]

  private let stack: DataStack
  private let contexts: [ManagedObjectContext]
  /// The context that edits are made in until they are saved or rolled back.
  private var editor = 0
  private var saved: State = [:]
  private var shown: State = [:]
  private var nextID = 1
  private static let peopleCount = 3
  private static let tagCount = 3

  init() throws {
    stack = try Shop.stack()
    contexts = [stack.newBackgroundContext(), stack.newBackgroundContext()]
    for id in 0..<Self.peopleCount { try contexts[0].make("Person", ["id": id]) }
    for id in 0..<Self.tagCount { try contexts[0].make("Tag", ["label": "\(id)"]) }
    try contexts[0].save()
  }

  mutating func step(_ random: inout SplitMix64) throws {
    let context = contexts[editor]
    switch random.below(10) {
    case 0:
      try context.save()
      saved = shown
      editor = random.below(2)
    case 1:
      context.rollback()
      shown = saved
      editor = random.below(2)
    case 2, 3:
      try context.make("Note", ["id": nextID])
      shown[nextID] = Note()
      nextID += 1
    default:
      guard let id = shown.keys.sorted().randomElement(&random) else { return }
      let note = try #require(try context.all("Note", where: Key("id") == id).first)
      try edit(id, note, context, &random)
    }
  }

  private mutating func edit(
    _ id: Int, _ note: ManagedObject, _ context: ManagedObjectContext, _ random: inout SplitMix64
  ) throws {
    let people = try context.all("Person")
    let tags = try context.all("Tag", by: "label")
    switch random.below(7) {
    case 0:
      context.delete(note)
      shown[id] = nil
    case 1:
      let text = random.chance(20) ? nil : "\(random.below(100))"
      note["text"] = text
      shown[id]?.text = text
    case 2:
      let author = random.chance(25) ? nil : random.below(Self.peopleCount)
      note["author"] = author.map { people[$0] }
      shown[id]?.author = author
    case 3:
      let author = random.below(Self.peopleCount)
      try people[author].add(note, to: "notes")
      shown[id]?.author = author
    case 4:
      let author = random.below(Self.peopleCount)
      try people[author].remove(note, from: "notes")
      if shown[id]?.author == author { shown[id]?.author = nil }
    case 5:
      let chosen = (0..<Self.tagCount).filter { _ in random.chance(50) }
      try note.setValue(chosen.map { tags[$0] }, for: "tags")
      shown[id]?.tags = Set(chosen)
    default:
      let tag = random.below(Self.tagCount)
      let ids = shown.keys.sorted().filter { _ in random.chance(50) }
      let notes = try context.all("Note")
      try tags[tag].setValue(
        notes.filter { note in try note.value("id").map { ids.contains($0) } ?? false }, for: "notes")
      for other in shown.keys {
        if ids.contains(other) { shown[other]?.tags.insert(tag) } else { shown[other]?.tags.remove(tag) }
      }
    }
  }

  /// Both contexts show what they should, from every side.
  func check() throws {
    try expect(contexts[editor], shows: shown)
    try expect(contexts[1 - editor], shows: saved)
  }

  /// So does a context that has seen nothing of it, and the store is whole.
  func finish() throws {
    try expect(stack.newBackgroundContext(), shows: saved)
    try stack.source.open().records.read { try #expect($0.checkInvariants().isEmpty) }
  }

  private func expect(_ context: ManagedObjectContext, shows expected: State) throws {
    var found: State = [:]
    for note in try context.all("Note") {
      let id: Int = try #require(try note.value("id"))
      let author: Int? = try note.object("author")?.value("id")
      let tags: [Int] = try note.objects("tags").compactMap {
        try $0.value("label", as: String.self).flatMap { Int($0) }
      }
      found[id] = Note(text: try note.value("text"), author: author, tags: Set(tags))
      #expect(Set(tags).count == tags.count)
    }
    #expect(found == expected)
    for (author, person) in try context.all("Person").enumerated() {
      #expect(try Set(person.ids("notes")) == Set(expected.filter { $0.value.author == author }.keys))
    }
    for (tag, object) in try context.all("Tag", by: "label").enumerated() {
      #expect(try Set(object.ids("notes")) == Set(expected.filter { $0.value.tags.contains(tag) }.keys))
    }
  }
}

extension [Int] {
  fileprivate func randomElement(_ random: inout SplitMix64) -> Int? { isEmpty ? nil : self[random.below(count)] }
}
